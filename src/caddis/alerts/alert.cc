#include "caddis/alerts/alert.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"

namespace caddis::alerts {
namespace {

// RFC 5322 section 2.2 has headers in ASCII, and readable ones are short.
std::string header_text(std::string_view text) {
  constexpr size_t kMost = 120;
  std::string plain = visible(text).substr(0, kMost);
  std::ranges::replace_if(plain, [](char c) { return c < ' ' || c == 127 || (c & 0x80) != 0; }, '?');
  return plain;
}

// The gravest of the events: an end before a pause before an alert.
const Event& first_of(const Message& message) { return *std::ranges::min_element(message.events, {}, &Event::kind); }

}  // namespace

std::string_view name_of(Kind kind) {
  static constexpr std::string_view kNames[] = {"ends", "pauses", "alerts"};
  return kNames[static_cast<size_t>(kind)];
}

std::string to_json(const Subject& subject, const Message& message) {
  std::string events;
  for (const Event& event : message.events)
    events += (events.empty() ? "" : ",") + JsonObject()
                                                .add("kind", name_of(event.kind))
                                                .add("time", rfc3339_millis(event.time))
                                                .add("text", event.text)
                                                .finish();
  return JsonObject()
      .add(subject.word, subject.name)
      .add("folder", subject.folder)
      .add("host", subject.host)
      .add_raw("events", "[" + events + "]")
      .add("left_out", message.left_out)
      .finish();
}

std::string to_mail(const Subject& subject, const Message& message, const AlertSettings& settings) {
  std::string mail;
  const auto out = std::back_inserter(mail);
  if (!settings.mail_from.empty()) fmt::format_to(out, "From: {}\n", header_text(settings.mail_from));
  fmt::format_to(out, "To: {}\n", fmt::join(settings.mail_to, ", "));
  const size_t more = message.events.size() - 1 + message.left_out;
  fmt::format_to(out, "Subject: [caddis] {}: {}{}\n", header_text(subject.name), header_text(first_of(message).text),
                 more == 0 ? "" : fmt::format(" (and {} more)", more));
  mail +=
      "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"
      "Auto-Submitted: auto-generated\n\n";
  for (const Event& event : message.events)
    fmt::format_to(out, "{} {}: {}\n", rfc3339(event.time), name_of(event.kind), visible(event.text));
  if (message.left_out > 0) fmt::format_to(out, "… and {}\n", counted(message.left_out, "further event"));
  fmt::format_to(out, "\nThe {} {} on {}, in {}\n", subject.word, visible(subject.name), visible(subject.host),
                 visible(subject.folder));
  return mail;
}

}  // namespace caddis::alerts
