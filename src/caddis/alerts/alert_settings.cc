#include "caddis/alerts/alert_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "caddis/alerts/alert.h"
#include "caddis/settings/checks.h"
#include "caddis/url/url.h"

namespace caddis::settings {
namespace {

Result<void> is_kind(std::string_view text) {
  for (const alerts::Kind kind : alerts::kKinds)
    if (alerts::name_of(kind) == text) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is none of ends, pauses, alerts", text));
}

Result<void> is_web_address(std::string_view text) {
  if (text.empty()) return {};
  const auto url = url::Url::parse(text);
  if (url && (url->scheme() == "http" || url->scheme() == "https")) return {};
  return fail(ErrorCode::config, "is no address that begins with https:// or http://");
}

// It stands in a header of a letter: one address, nothing behind it.
Result<void> is_mail_address(std::string_view text) {
  if (text.empty()) return {};
  const bool has_strange =
      std::ranges::any_of(text, [](char c) { return c <= ' ' || c == 127 || c == ',' || c == '<' || c == '>'; });
  if (!has_strange && text.find('@') != std::string_view::npos) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no mail address such as you@example.org", text));
}

}  // namespace

template <>
const Schema& schema_of<alerts::AlertSettings>() {
  using S = alerts::AlertSettings;
  static const Schema schema(
      "alerts", "Who is told of what happens to the crawl while nobody looks.",
      {
          field<&S::about>("about",
                           "What is told: ends (the crawl has ended, and how), pauses (it stands still: a limit, a "
                           "full disk), alerts (warnings and errors, as in alerts.log).",
                           {.flags = kLive, .check = is_kind}),
          field<&S::webhook>("webhook",
                             "An address to which events are sent by POST as JSON (docs/operating.md). It is not "
                             "shown, as it often holds a secret.",
                             {.flags = kLive | kSecret, .check = is_web_address}),
          field<&S::mail_to>("mail-to", "Mail addresses to which events are sent.",
                             {.flags = kLive, .check = is_mail_address}),
          field<&S::mail_from>("mail-from", "The sender of mails; unset, the mail system decides.",
                               {.flags = kLive, .check = is_mail_address}),
          field<&S::mail_command>("mail-command",
                                  "The program that sends a mail, which it reads with its headers from standard "
                                  "input; words are separated by blanks.",
                                  {.flags = kLive}),
          field<&S::interval>("interval",
                              "At least so much time lies between two messages; what happens meanwhile is in the next "
                              "one. The end of the crawl does not wait.",
                              {.flags = kLive, .min = "1s", .max = "1d"}),
      });
  return schema;
}

}  // namespace caddis::settings
