#include "caddis/logs/log_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "caddis/base/capture_status.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/url/domain.h"

namespace caddis::logs {
namespace {

constexpr std::string_view kUnknown = "-";

std::string_view or_unknown(std::string_view text) { return text.empty() ? kUnknown : text; }

std::string_view class_of(const LogLine& line) {
  constexpr std::array<std::string_view, 10> kClasses = {"-",   "1xx", "2xx", "3xx", "4xx",
                                                         "5xx", "6xx", "7xx", "8xx", "9xx"};
  const auto status = line.status();
  if (!status || *status < 100 || *status > 999) return line.field(LogLine::status_code);
  return kClasses[static_cast<size_t>(*status / 100)];
}

std::string_view words_of(const LogLine& line) {
  const auto status = line.status();
  const StatusInfo* const info = status ? find_status(*status) : nullptr;
  return info == nullptr ? line.field(LogLine::status_code) : info->word;
}

std::string_view domain_of(std::string_view host) {
  const std::string_view domain = url::registrable_domain(host);
  return or_unknown(domain.empty() ? host : domain);
}

std::string_view scheme_of(std::string_view url) { return or_unknown(url.substr(0, url.find(':'))); }

std::string_view milliseconds_of(const LogLine& line) {
  const std::string_view fetch = line.field(LogLine::fetch);
  const size_t plus = fetch.find('+');
  return plus == std::string_view::npos ? kUnknown : or_unknown(fetch.substr(plus + 1));
}

}  // namespace

const std::vector<std::string>& log_field_names() {
  static const std::vector<std::string> kNames = {"time",  "status", "size",   "url",    "hops",   "via",
                                                  "mime",  "thread", "fetch",  "digest", "source", "annotations",
                                                  "extra", "host",   "domain", "scheme", "class",  "outcome",
                                                  "words", "ms",     "day",    "hour",   "minute"};
  return kNames;
}

std::string_view name_of(LogField field) { return log_field_names()[static_cast<size_t>(field)]; }

Result<std::vector<LogField>> parse_log_fields(std::string_view list) {
  const std::vector<std::string>& names = log_field_names();
  std::vector<LogField> fields;
  for (const std::string_view part : split(list, ',')) {
    const std::string_view name = trim(part);
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      const std::string near = nearest_name(name, names);
      return fail(ErrorCode::config,
                  fmt::format("'{}' is no field of a log{}; there are {}", name,
                              near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(names, ", ")));
    }
    fields.push_back(static_cast<LogField>(std::distance(names.begin(), found)));
  }
  return fields;
}

std::string_view outcome_of(int status, std::string_view url) {
  if (is_captured(status, url)) return "captured";
  return is_disregarded(status) ? "excluded" : "failed";
}

std::string_view value_of(const LogLine& line, LogField field) {
  constexpr size_t kDay = 10, kHour = 13, kMinute = 16;
  const std::string_view time = line.field(LogLine::time);
  switch (field) {
    case LogField::extra:
      return or_unknown(line.json());
    case LogField::host:
      return or_unknown(host_of(line.field(LogLine::url)));
    case LogField::domain:
      return domain_of(host_of(line.field(LogLine::url)));
    case LogField::scheme:
      return scheme_of(line.field(LogLine::url));
    case LogField::status_class:
      return class_of(line);
    case LogField::outcome:
      return line.status() ? outcome_of(*line.status(), line.field(LogLine::url)) : kUnknown;
    case LogField::words:
      return words_of(line);
    case LogField::milliseconds:
      return milliseconds_of(line);
    case LogField::day:
      return time.substr(0, kDay);
    case LogField::hour:
      return time.substr(0, kHour);
    case LogField::minute:
      return time.substr(0, kMinute);
    case LogField::annotations:
      return or_unknown(line.field(LogLine::annotations));
    default:
      return line.field(static_cast<LogLine::Field>(field));  // the columns come first, in their order
  }
}

bool is_number(LogField field) {
  return field == LogField::status || field == LogField::size || field == LogField::milliseconds;
}

}  // namespace caddis::logs
