// A date is found in two steps, as NetarchiveSuite does: so many units are added to the date before, and then the first
// date from there on is taken that has the minute, hour, weekday and day that are asked for.

#include "caddis/harvest/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "caddis/base/time_format.h"
#include "caddis/text/time_zone.h"

namespace caddis::harvest {
namespace {

using Days = std::chrono::days;
using LocalTime = std::chrono::local_seconds;

constexpr int kMostEvery = 10'000;
constexpr int64_t kMostSteps = 5'000'000;  // of dates that were missed; ten years of minutes
constexpr std::array<std::string_view, 5> kUnits = {"minute", "hour", "day", "week", "month"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                       "Friday", "Saturday", "Sunday"};

LocalTime local_of(const text::TimeZone& zone, Moment moment) {
  return LocalTime(moment.time_since_epoch() + zone.offset_at(moment));
}

Moment moment_of(const text::TimeZone& zone, LocalTime local) {
  const auto as_utc = Moment(local.time_since_epoch());
  // Offsets before and behind a change that may be near. The earlier moment is that with the larger offset.
  const auto before = zone.offset_at(as_utc - std::chrono::hours(26)),
             after = zone.offset_at(as_utc + std::chrono::hours(26));
  for (const auto offset : {std::max(before, after), std::min(before, after)}) {
    const Moment moment = as_utc - offset;
    if (local_of(zone, moment) == local) return moment;
  }
  // Clocks leave it out: the moment at which they are put forward.
  const auto change = zone.next_change(as_utc - std::chrono::hours(26));
  return change ? *change : as_utc - before;
}

Days day_of(LocalTime local) { return std::chrono::floor<Days>(local).time_since_epoch(); }

LocalTime at_time(Days day, int hour, int minute) {
  return LocalTime(day) + std::chrono::hours(hour) + std::chrono::minutes(minute);
}

int minute_of(LocalTime local) {
  return static_cast<int>(std::chrono::floor<std::chrono::minutes>(local).time_since_epoch().count() % 60);
}

// The day of that month, or its last one.
Days day_in(std::chrono::year_month month, int day) {
  const auto last = static_cast<unsigned>(std::chrono::year_month_day_last(month / std::chrono::last).day());
  const std::chrono::day wanted(std::min(static_cast<unsigned>(day), last));
  return std::chrono::local_days(month / wanted).time_since_epoch();
}

std::chrono::year_month month_of(Days day) {
  const std::chrono::year_month_day date{std::chrono::local_days(day)};
  return date.year() / date.month();
}

unsigned day_number(Days day) {
  return static_cast<unsigned>(std::chrono::year_month_day(std::chrono::local_days(day)).day());
}

class Calendar {
 public:
  Calendar(const Schedule& schedule, const text::TimeZone& zone) : schedule_(schedule), zone_(zone) {}

  // The first moment from there on with what the frequency asks for.
  Moment fitting(Moment from) const {
    const Frequency& wanted = schedule_.frequency;
    if (wanted.unit == Unit::minute || !wanted.minute) return from;
    const LocalTime local = local_of(zone_, from);
    if (wanted.unit == Unit::hour) {
      const int minutes = (*wanted.minute - minute_of(local) + 60) % 60;
      const bool is_over = minutes == 0 && local != std::chrono::floor<std::chrono::minutes>(local);
      return std::chrono::floor<std::chrono::minutes>(from) + std::chrono::minutes(is_over ? 60 : minutes);
    }
    if (!wanted.hour) return from;
    Days day = day_of(local);
    if (wanted.weekday) day = on_weekday(day, *wanted.weekday);
    if (wanted.day) day = day_in(month_of(day), *wanted.day);
    while (moment_of(zone_, at_time(day, *wanted.hour, *wanted.minute)) < from) day = following(day);
    return moment_of(zone_, at_time(day, *wanted.hour, *wanted.minute));
  }

  Moment after(Moment planned) const { return fitting(added(planned)); }

 private:
  static Days on_weekday(Days from, int weekday) {
    const unsigned today = std::chrono::weekday(std::chrono::local_days(from)).iso_encoding();
    return from + Days((weekday - static_cast<int>(today) + 7) % 7);
  }

  // The next day that the frequency may mean, behind one that has passed.
  Days following(Days day) const {
    const Frequency& wanted = schedule_.frequency;
    if (wanted.weekday) return day + Days(7);
    if (wanted.day) return day_in(month_of(day) + std::chrono::months(1), *wanted.day);
    return day + Days(1);
  }

  Moment added(Moment planned) const {
    const Frequency& wanted = schedule_.frequency;
    if (wanted.unit == Unit::minute) return planned + std::chrono::minutes(wanted.every);
    if (wanted.unit == Unit::hour) return planned + std::chrono::hours(wanted.every);
    const LocalTime local = local_of(zone_, planned);
    const Days day = day_of(local);
    const auto time = time_of(planned) - LocalTime(day);
    if (wanted.unit == Unit::month) {
      const Days then = day_in(month_of(day) + std::chrono::months(wanted.every), anchor_day(day));
      return moment_of(zone_, LocalTime(then) + time);
    }
    const Days then = day + Days(wanted.unit == Unit::week ? 7 * wanted.every : wanted.every);
    return moment_of(zone_, LocalTime(then) + time);
  }

  // The local time of a run. If clocks had left out the one asked for, it is that one again, so that the runs behind it
  // are not later.
  LocalTime time_of(Moment planned) const {
    const Frequency& wanted = schedule_.frequency;
    const LocalTime local = local_of(zone_, planned);
    if (!wanted.hour || !wanted.minute) return local;
    const LocalTime asked = at_time(day_of(local), *wanted.hour, *wanted.minute);
    return moment_of(zone_, asked) == planned ? asked : local;
  }

  // A month that is shorter than the day asked for does not make it earlier for ever.
  int anchor_day(Days day) const {
    if (schedule_.frequency.day) return 1;  // `fitting` finds the day
    if (!schedule_.starts) return static_cast<int>(day_number(day));
    return static_cast<int>(day_number(day_of(local_of(zone_, *schedule_.starts))));
  }

  const Schedule& schedule_;
  const text::TimeZone& zone_;
};

bool is_over(const Schedule& schedule, Moment at, int64_t runs) {
  return (schedule.times && runs >= *schedule.times) || (schedule.ends && at > *schedule.ends);
}

Result<void> check_range(const std::optional<int>& value, int least, int most, std::string_view what) {
  if (!value || (*value >= least && *value <= most)) return {};
  return fail(ErrorCode::config, fmt::format("{} is {} to {}, not {}", what, least, most, *value));
}

// "2026-11-29 08:00 UTC"
std::string words_of(Moment moment) {
  const std::string text = rfc3339(WallTime(moment.time_since_epoch()));
  return fmt::format("{} {} UTC", text.substr(0, 10), text.substr(11, 5));
}

}  // namespace

std::string_view name_of(Unit unit) { return kUnits.at(static_cast<size_t>(unit)); }

std::optional<Unit> unit_named(std::string_view name) {
  const auto* const found = std::ranges::find(kUnits, name);
  if (found == kUnits.end()) return std::nullopt;
  return static_cast<Unit>(found - kUnits.begin());
}

Result<void> check(const Schedule& schedule) {
  const Frequency& wanted = schedule.frequency;
  TRY([[maybe_unused]] const auto zone, text::TimeZone::find(schedule.zone));
  TRY_VOID(check_range(wanted.every, 1, kMostEvery, "the number of units"));
  TRY_VOID(check_range(wanted.minute, 0, 59, "the minute"));
  TRY_VOID(check_range(wanted.hour, 0, 23, "the hour"));
  TRY_VOID(check_range(wanted.weekday, 1, 7, "the weekday"));
  TRY_VOID(check_range(wanted.day, 1, 31, "the day"));
  if (wanted.minute && wanted.unit == Unit::minute)
    return fail(ErrorCode::config, "a schedule by minutes has no minute of the hour");
  if (wanted.hour && wanted.unit < Unit::day) return fail(ErrorCode::config, "an hour is for days, weeks and months");
  if (wanted.minute && !wanted.hour && wanted.unit >= Unit::day)
    return fail(ErrorCode::config, "a minute without an hour is for a schedule by hours");
  if (wanted.hour && !wanted.minute) return fail(ErrorCode::config, "an hour needs a minute");
  if (wanted.weekday && wanted.unit != Unit::week) return fail(ErrorCode::config, "a weekday is for weeks");
  if (wanted.day && wanted.unit != Unit::month) return fail(ErrorCode::config, "a day is for months");
  if ((wanted.weekday || wanted.day) && !wanted.hour) return fail(ErrorCode::config, "a day needs an hour");
  if (schedule.times && *schedule.times < 1) return fail(ErrorCode::config, "a schedule has at least one run");
  if (schedule.starts && schedule.ends && *schedule.ends < *schedule.starts)
    return fail(ErrorCode::config, "a schedule ends after it has started");
  return {};
}

Result<std::optional<Moment>> first_run(const Schedule& schedule, Moment now) {
  TRY_VOID(check(schedule));
  TRY(const auto zone, text::TimeZone::find(schedule.zone));
  const Moment first = Calendar(schedule, *zone).fitting(std::max(now, schedule.starts.value_or(now)));
  if (is_over(schedule, first, 0)) return std::optional<Moment>();
  return first;
}

Result<std::optional<Moment>> first_run_behind(const Schedule& schedule, const std::optional<Moment>& last,
                                               int64_t runs, Moment now) {
  TRY_VOID(check(schedule));
  TRY(const auto zone, text::TimeZone::find(schedule.zone));
  const Calendar calendar(schedule, *zone);
  const Frequency& wanted = schedule.frequency;
  Moment from = std::max(now, schedule.starts.value_or(now));
  if (last) from = std::max(from, *last + std::chrono::seconds(1));
  Moment first = calendar.fitting(from);
  if (last && (wanted.every > 1 || !wanted.minute)) first = std::max(first, calendar.after(*last));
  if (is_over(schedule, first, runs)) return std::optional<Moment>();
  return first;
}

Result<NextRun> next_run(const Schedule& schedule, Moment planned, int64_t runs, Moment now) {
  TRY_VOID(check(schedule));
  TRY(const auto zone, text::TimeZone::find(schedule.zone));
  const Calendar calendar(schedule, *zone);
  NextRun next;
  Moment at = calendar.after(planned);
  while (at <= now && !is_over(schedule, at, runs) && next.missed < kMostSteps) {
    ++next.missed;
    at = calendar.after(at);
  }
  if (at <= now) at = calendar.fitting(now + std::chrono::seconds(1));
  if (!is_over(schedule, at, runs)) next.at = at;
  return next;
}

std::string in_words(const Schedule& schedule) {
  const Frequency& wanted = schedule.frequency;
  std::string words = wanted.every == 1 ? fmt::format("every {}", name_of(wanted.unit))
                                        : fmt::format("every {} {}s", wanted.every, name_of(wanted.unit));
  if (wanted.weekday) words += fmt::format(" on {}", kWeekdays.at(static_cast<size_t>(*wanted.weekday - 1)));
  if (wanted.day) words += fmt::format(" on day {}", *wanted.day);
  if (wanted.hour)
    words += fmt::format(" at {:02}:{:02}", *wanted.hour, wanted.minute.value_or(0));
  else if (wanted.minute)
    words += fmt::format(" at minute {}", *wanted.minute);
  words += fmt::format(" ({})", schedule.zone);
  if (schedule.starts) words += fmt::format(", not before {}", words_of(*schedule.starts));
  if (schedule.ends) words += fmt::format(", not after {}", words_of(*schedule.ends));
  if (schedule.times) words += *schedule.times == 1 ? ", once" : fmt::format(", {} times", *schedule.times);
  return words;
}

}  // namespace caddis::harvest
