#include "caddis/dedup/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::dedup {
namespace {

bool is_of_type(std::string_view pattern, std::string_view mime) {
  if (!pattern.ends_with("/*")) return equals_ignore_case(pattern, mime);
  const std::string_view group = pattern.substr(0, pattern.size() - 1);
  return mime.size() > group.size() && equals_ignore_case(mime.substr(0, group.size()), group);
}

Result<void> mime_pattern(std::string_view text) {
  TRY_VOID(settings::single_line(text));
  const size_t slash = text.find('/');
  const std::string_view subtype = slash == std::string_view::npos ? "" : text.substr(slash + 1);
  const bool is_type = slash != 0 && !subtype.empty() && text.find_first_of(" ;,") == std::string_view::npos;
  if (is_type && (subtype == "*" || text.find('*') == std::string_view::npos)) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no type: write it as in text/html, or image/* for all images",
                                             visible(text, kQuoted)));
}

// A crawl may be resumed from another folder.
Result<void> whole_path_or_server(std::string_view text) {
  TRY_VOID(settings::single_line(text));
  if (text.starts_with('/') || remote_index(text)) return {};
  return fail(ErrorCode::config, fmt::format("'{}': give the whole path of a folder or file, or the address of a CDX "
                                             "server (https://…)",
                                             visible(text, kQuoted)));
}

}  // namespace

bool is_wanted(const DedupSettings& settings, std::string_view mime, uint64_t size) {
  return settings.strategy != Strategy::off && size >= static_cast<uint64_t>(settings.min_size) &&
         std::ranges::none_of(settings.leave_out,
                              [&](const std::string& pattern) { return is_of_type(pattern, mime); });
}

std::optional<url::Url> remote_index(std::string_view place) {
  auto url = url::Url::parse(place);
  if (!url || !url->is_http()) return {};
  return *std::move(url);
}

}  // namespace caddis::dedup

namespace caddis::settings {

template <>
const Schema& schema_of<dedup::DedupSettings>() {
  using S = dedup::DedupSettings;
  using dedup::Strategy;
  static const Schema schema(
      "dedup",
      "Which payloads are stored once only: what is known already becomes a revisit record, which names the capture "
      "that it repeats.",
      {
          field<&S::strategy>(
              "strategy",
              "By what a payload with a known digest is a repetition: off (never), url (a capture of the same URL), "
              "canonical (of a URL with the same key in the index), url-preferred (any capture, that of the same URL "
              "before others), any (any capture).",
              {.flags = kSheet | kLive,
               .choices = {choice("off", Strategy::off), choice("url", Strategy::url),
                           choice("canonical", Strategy::canonical), choice("url-preferred", Strategy::url_preferred),
                           choice("any", Strategy::any)},
               .option = "--dedup",
               .heritrix = "deDuplicator.searchStrategy"}),
          field<&S::min_size>("min-size", "Smaller payloads are stored each time.",
                              {.flags = kSheet | kLive, .unit = kBytes, .min = "1", .max = "1GB"}),
          field<&S::leave_out>("leave-out", "Payloads of these types are stored each time, as in text/html or image/*.",
                               {.flags = kSheet | kLive, .check = dedup::mime_pattern}),
          field<&S::conditional>(
              "conditional",
              "Ask servers whether a document has changed since the collection has captured it (If-None-Match, "
              "If-Modified-Since). If it has not, nothing is sent: a revisit refers to the capture, which is read for "
              "links.",
              {.flags = kSheet | kLive, .heritrix = "fetchHistoryProcessor"}),
          field<&S::against>(
              "against",
              "Whole paths of other collections, digest indexes (caddis dedup build) and CDXJ files that "
              "are asked, too, after this crawl and the earlier ones of its collection. So are CDX "
              "servers such as OutbackCDX and pywb, by http://… or https://…, but by URL alone. All "
              "those captures must be kept: revisits refer to them.",
              {.flags = kLive, .check = dedup::whole_path_or_server, .option = "--dedup-against"}),
          field<&S::remote_timeout>("remote-timeout",
                                    "How long a CDX server may take for an answer. One that fails three times is left "
                                    "alone for half a minute, and the crawl goes on without it.",
                                    {.flags = kLive | kExpert, .min = "100ms", .max = "1m"}),
      });
  return schema;
}

}  // namespace caddis::settings
