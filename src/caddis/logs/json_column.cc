#include "caddis/logs/json_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/logs/json_log.h"
#include "caddis/logs/log_field.h"
#include "caddis/logs/log_line.h"
#include "caddis/url/domain.h"

namespace caddis::logs {
namespace {

using Kind = JsonColumn::Kind;

constexpr std::string_view kUnknown = "-";
constexpr auto kDerived = std::to_array<std::pair<std::string_view, Kind>>({{"host", Kind::host},
                                                                            {"domain", Kind::domain},
                                                                            {"class", Kind::status_class},
                                                                            {"outcome", Kind::outcome},
                                                                            {"day", Kind::day},
                                                                            {"hour", Kind::hour},
                                                                            {"minute", Kind::minute}});

const std::vector<std::string>& names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> all;
    for (size_t i = 0; i < kJsonFields; ++i) all.emplace_back(to_string(static_cast<JsonField>(i)));
    // Fields of outlinks.jsonl, and of converted lines.
    for (const char* name : {"from", "to", "hop", "context", "legacy"}) all.emplace_back(name);
    for (const auto& [name, kind] : kDerived) all.emplace_back(name);
    return all;
  }();
  return kNames;
}

std::string_view or_unknown(std::string_view text) { return text.empty() ? kUnknown : text; }

// One line, without tabs: JSON's own form of what has a control character.
std::string_view member(const JsonLine& line, std::string_view name, std::string& room) {
  const std::string_view raw = line.raw(name);
  const std::string_view text = json_text_of(raw, room);
  const bool has_control = std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return or_unknown(has_control ? raw : text);
}

std::string_view status_class(const JsonLine& line, std::string& room) {
  constexpr std::array<std::string_view, 10> kClasses = {"-",   "1xx", "2xx", "3xx", "4xx",
                                                         "5xx", "6xx", "7xx", "8xx", "9xx"};
  const auto number = line.number("status");
  if (!number || *number < 100 || *number > 999) return member(line, "status", room);
  return kClasses[static_cast<size_t>(*number / 100)];
}

std::string_view domain(std::string_view host) {
  const std::string_view found = url::registrable_domain(host);
  return or_unknown(found.empty() ? host : found);
}

}  // namespace

Result<std::vector<JsonColumn>> parse_json_columns(std::string_view list) {
  std::vector<JsonColumn> columns;
  for (const std::string_view part : split(list, ',')) {
    const std::string_view name = trim(part);
    if (std::ranges::find(names(), name) == names().end()) {
      const std::string near = nearest_name(name, names());
      return fail(ErrorCode::config, fmt::format("'{}' is no field of these logs{}; there are {}", name,
                                                 near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                                                 fmt::join(names(), ", ")));
    }
    const auto* const derived = std::ranges::find(kDerived, name, &std::pair<std::string_view, Kind>::first);
    columns.push_back({std::string(name), derived == kDerived.end() ? Kind::member : derived->second});
  }
  return columns;
}

std::string_view url_of(const JsonLine& line, std::string& room) {
  const std::string_view url = line.text("url", room);
  return url.empty() ? line.text("from", room) : url;
}

std::string_view value_of(const JsonLine& line, const JsonColumn& column, std::string& room) {
  constexpr size_t kDay = 10, kHour = 13, kMinute = 16;
  switch (column.kind) {
    case Kind::member:
      return member(line, column.name, room);
    case Kind::host:
      return or_unknown(host_of(url_of(line, room)));
    case Kind::domain:
      return domain(host_of(url_of(line, room)));
    case Kind::status_class:
      return status_class(line, room);
    case Kind::outcome: {
      const auto status = status_of(line);
      return status ? outcome_of(*status, url_of(line, room)) : kUnknown;
    }
    case Kind::day:
      return or_unknown(line.text("time", room).substr(0, kDay));
    case Kind::hour:
      return or_unknown(line.text("time", room).substr(0, kHour));
    case Kind::minute:
      return or_unknown(line.text("time", room).substr(0, kMinute));
  }
  return kUnknown;
}

}  // namespace caddis::logs
