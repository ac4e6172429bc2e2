// A span is read word by word. Whether it holds is asked of local time, which the zone makes of a moment. Its next change
// is looked for among all moments at which it may begin or end: midnights, its hours, and changes of the zone.
#include "caddis/scope/time_span.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/text/time_zone.h"

namespace caddis::scope {
namespace {

using std::chrono::days;
using std::chrono::minutes;
using std::chrono::sys_days;
using std::chrono::sys_seconds;

constexpr std::array<std::string_view, 7> kDays = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

std::unexpected<Error> no_span(std::string_view text) {
  return fail(ErrorCode::config,
              fmt::format("'{}' is no span of time: write days, hours, dates and a time zone, as in 'mon..fri "
                          "08:00..18:00 Europe/Vienna', '22:00..06:00' or '2026-12-24..2026-12-26'",
                          visible(text, kQuoted)));
}

std::optional<size_t> day_of_week(std::string_view text) {
  const auto* const found = std::ranges::find(kDays, to_lower(text));
  if (found == kDays.end()) return {};
  return static_cast<size_t>(found - kDays.begin());
}

// The word with two dots, if it has a hyphen in their place: 'mon-fri', '08:00-18:00'; or empty.
std::string with_dots(std::string_view word) {
  const size_t hyphen = word.find('-');
  if (hyphen == word.npos || word.contains("..")) return {};
  const std::string_view from = word.substr(0, hyphen), to = word.substr(hyphen + 1);
  const bool is_days = day_of_week(from) && day_of_week(to);
  if (!is_days && !(from.contains(':') && to.contains(':'))) return {};
  return fmt::format("{}..{}", from, to);
}

// "from..to"; one alone stands for both.
std::pair<std::string_view, std::string_view> ends_of(std::string_view text) {
  const size_t dots = text.find("..");
  return dots == text.npos ? std::pair(text, text) : std::pair(text.substr(0, dots), text.substr(dots + 2));
}

std::optional<int64_t> digits(std::string_view text, size_t count) {
  if (text.size() != count || !std::ranges::all_of(text, is_digit)) return {};
  return parse_int(text);
}

std::optional<minutes> time_of_day(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == text.npos || colon == 0 || colon > 2) return {};
  const auto hour = digits(text.substr(0, colon), colon), minute = digits(text.substr(colon + 1), 2);
  if (!hour || !minute || *minute > 59 || *hour * 60 + *minute > 24 * 60) return {};
  return minutes(*hour * 60 + *minute);
}

std::optional<sys_days> date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return {};
  const auto year = digits(text.substr(0, 4), 4), month = digits(text.substr(5, 2), 2), day = digits(text.substr(8), 2);
  if (!year || !month || !day) return {};
  const std::chrono::year_month_day found{std::chrono::year(static_cast<int>(*year)),
                                          std::chrono::month(static_cast<unsigned>(*month)),
                                          std::chrono::day(static_cast<unsigned>(*day))};
  if (!found.ok()) return {};
  return sys_days(found);
}

enum class Part : uint8_t { days, hours, dates, zone };

Part part_of(std::string_view word) {
  if (word.contains(':')) return Part::hours;
  if (is_digit(word.front())) return Part::dates;
  const std::string_view first = word.substr(0, word.find_first_of(",."));
  return day_of_week(first) ? Part::days : Part::zone;
}

}  // namespace

Result<void> TimeSpan::take_days(std::string_view word) {
  days_ = 0;
  for (const std::string_view some : split(word, ',')) {
    const auto [from, to] = ends_of(some);
    const auto first = day_of_week(from), last = day_of_week(to);
    if (!first || !last) return no_span(some);
    for (size_t day = *first;; day = (day + 1) % kDays.size()) {
      days_ |= static_cast<uint8_t>(1u << day);
      if (day == *last) break;
    }
  }
  return {};
}

Result<void> TimeSpan::take_hours(std::string_view word) {
  const auto [from, to] = ends_of(word);
  const auto begin = time_of_day(from), end = time_of_day(to);
  if (!word.contains("..") || !begin || !end || *begin == days(1)) return no_span(word);
  if (*begin == *end) return fail(ErrorCode::config, fmt::format("'{}' ends where it begins", word));
  from_ = *begin;
  to_ = *end;
  return {};
}

Result<void> TimeSpan::take_dates(std::string_view word) {
  const auto [from, to] = ends_of(word);
  first_ = date(from);
  last_ = date(to);
  if (!first_ || !last_) return no_span(word);
  if (*first_ > *last_) return fail(ErrorCode::config, fmt::format("'{}' ends before it begins", word));
  return {};
}

Result<TimeSpan> TimeSpan::parse(std::string_view text) {
  TimeSpan span;
  std::array<bool, 4> has = {};
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    for (const std::string_view some : split(word, ','))
      if (const std::string meant = with_dots(some); !meant.empty())
        return fail(ErrorCode::config,
                    fmt::format("'{}': between two days or hours stand two dots: '{}'", visible(some, kQuoted), meant));
    const Part part = part_of(word);
    if (std::exchange(has[static_cast<size_t>(part)], true)) return no_span(text);
    switch (part) {
      case Part::days:
        TRY_VOID(span.take_days(word));
        break;
      case Part::hours:
        TRY_VOID(span.take_hours(word));
        break;
      case Part::dates:
        TRY_VOID(span.take_dates(word));
        break;
      case Part::zone: {
        TRY(span.zone_, text::TimeZone::find(word));
        break;
      }
    }
  }
  if (!has[0] && !has[1] && !has[2]) return no_span(text);
  if (span.zone_ == nullptr) {
    TRY(span.zone_, text::TimeZone::find("UTC"));
  }
  return span;
}

bool TimeSpan::is_day(sys_days day) const {
  if ((first_ && day < *first_) || (last_ && day > *last_)) return false;
  return (days_ >> (std::chrono::weekday(day).iso_encoding() - 1) & 1) != 0;
}

bool TimeSpan::holds_at(sys_seconds moment) const {
  const sys_seconds local = moment + zone_->offset_at(moment);
  const sys_days day = std::chrono::floor<days>(local);
  const auto of_day = local - day;
  if (from_ < to_) return of_day >= from_ && of_day < to_ && is_day(day);
  return (of_day >= from_ && is_day(day)) || (of_day < to_ && is_day(day - days(1)));
}

bool TimeSpan::holds(WallTime moment) const { return holds_at(std::chrono::floor<std::chrono::seconds>(moment)); }

void TimeSpan::add_moments(sys_days from, sys_days to, std::vector<sys_seconds>& moments) const {
  for (sys_days day = from; day <= to; day += days(1)) {
    for (const minutes of_day : {minutes(0), from_, to_}) {
      // The moments at which clocks may show it, whether they are put forward or back on that day or not.
      const sys_seconds shown = day + of_day;
      moments.push_back(shown - zone_->offset_at(shown - days(1)));
      moments.push_back(shown - zone_->offset_at(shown + days(1)));
    }
  }
  for (auto change = zone_->next_change(from); change && *change <= to; change = zone_->next_change(*change))
    moments.push_back(*change);
}

std::optional<WallTime> TimeSpan::next_change(WallTime moment) const {
  const sys_seconds now = std::chrono::floor<std::chrono::seconds>(moment);
  const bool holds_now = holds_at(now);
  std::vector<sys_seconds> moments;
  // Within nine days all days of a week have begun and ended.
  const auto add = [&](sys_days day) { add_moments(day - days(2), day + days(9), moments); };
  add(std::chrono::floor<days>(now));
  if (first_) add(*first_);
  if (last_) add(*last_);
  std::ranges::sort(moments);
  for (const sys_seconds at : moments)
    if (at > now && holds_at(at) != holds_now) return at;
  return {};
}

Result<TimeSpans> TimeSpans::parse(const std::vector<std::string>& texts) {
  TimeSpans made;
  for (const std::string& text : texts) {
    TRY(TimeSpan span, TimeSpan::parse(text));
    made.spans_.push_back(std::move(span));
  }
  return made;
}

bool TimeSpans::hold(WallTime moment) const {
  return std::ranges::any_of(spans_, [&](const TimeSpan& span) { return span.holds(moment); });
}

std::optional<WallTime> TimeSpans::next_change(WallTime moment) const {
  constexpr int kMost = 100;  // that is asked for: spans that follow each other without a gap may go on for ever
  const bool hold_now = hold(moment);
  for (int i = 0; i < kMost; ++i) {
    std::optional<WallTime> next;
    for (const TimeSpan& span : spans_)
      if (const auto change = span.next_change(moment); change && (!next || *change < *next)) next = change;
    if (!next || hold(*next) != hold_now) return next;
    moment = *next;
  }
  return {};
}

}  // namespace caddis::scope
