#include "caddis/viewing/period.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::viewing {
namespace {

constexpr int kMostOfAUnit = 10'000;

// "2026-01-02T03:04:05Z" and "20260102030405" as digits; what a date may be written with is left out.
Result<std::string> digits_of(std::string_view text) {
  std::string digits;
  for (const char c : trim(text)) {
    if (is_digit(c))
      digits += c;
    else if (std::string_view("-:TZ ").find(c) == std::string_view::npos)
      return fail(ErrorCode::config, fmt::format("'{}' is no time: 2026, 2026-01-31, 2026-01-31T10:00:00Z are", text));
  }
  const bool is_whole = digits.size() >= 4 && digits.size() <= 14 && digits.size() % 2 == 0;
  if (!is_whole || !parse_timestamp(digits))
    return fail(ErrorCode::config, fmt::format("'{}' is no time: 2026, 2026-01-31, 2026-01-31T10:00:00Z are", text));
  return digits;
}

}  // namespace

bool TimeRange::contains(std::string_view timestamp) const {
  if (!from.empty() && timestamp.substr(0, from.size()) < from) return false;
  return to.empty() || timestamp.substr(0, to.size()) <= to;
}

Result<TimeRange> parse_time_range(std::string_view text) {
  text = trim(text);
  const size_t dots = text.find("..");
  TimeRange range;
  if (dots == std::string_view::npos) {
    TRY(range.from, digits_of(text));
    range.to = range.from;
    return range;
  }
  const std::string_view from = trim(text.substr(0, dots)), to = trim(text.substr(dots + 2));
  if (from.empty() && to.empty()) return fail(ErrorCode::config, "'..' names no time");
  if (!from.empty()) {
    TRY(range.from, digits_of(from));
  }
  if (!to.empty()) {
    TRY(range.to, digits_of(to));
  }
  if (!from.empty() && !to.empty() && !range.contains(range.to) && range.to.substr(0, range.from.size()) < range.from)
    return fail(ErrorCode::config, fmt::format("'{}' ends before it begins", text));
  return range;
}

std::string to_string(const TimeRange& range) {
  return range.from == range.to ? range.from : range.from + ".." + range.to;
}

Result<Period> parse_period(std::string_view text) {
  const auto refuse = [&] {
    return fail(ErrorCode::config, fmt::format("'{}' is no length of time: 2y, 6mo, 2w, 10d and 1y6mo are", text));
  };
  Period period;
  std::string_view rest = trim(text);
  if (rest.empty()) return refuse();
  while (!rest.empty()) {
    const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const auto number = parse_int(rest.substr(0, digits));
    rest.remove_prefix(digits);
    const size_t letters = std::min(rest.find_first_of("0123456789"), rest.size());
    const std::string_view unit = trim(rest.substr(0, letters));
    rest.remove_prefix(letters);
    if (!number || *number > kMostOfAUnit) return refuse();
    const int count = static_cast<int>(*number);
    if (unit == "y")
      period.years += count;
    else if (unit == "mo")
      period.months += count;
    else if (unit == "w" || unit == "d")
      period.days += unit == "w" ? 7 * count : count;
    else
      return refuse();
  }
  return period.empty() ? Result<Period>(refuse()) : period;
}

std::string to_string(const Period& period) {
  std::string text;
  if (period.years != 0) text += std::to_string(period.years) + 'y';
  if (period.months != 0) text += std::to_string(period.months) + "mo";
  if (period.days != 0 || text.empty()) text += std::to_string(period.days) + 'd';
  return text;
}

WallTime before(WallTime moment, const Period& period) {
  using namespace std::chrono;
  const auto day = floor<days>(moment);
  year_month_day date = year_month_day(day) - years(period.years) - months(period.months);
  if (!date.ok()) date = date.year() / date.month() / last;
  return sys_days(date) - days(period.days) + (moment - day);
}

}  // namespace caddis::viewing
