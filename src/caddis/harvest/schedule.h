// When a harvest runs: a frequency from every few minutes to every few months, at a minute, an hour, a weekday or a day if it
// says so, in a time zone, from a first moment to a last one, or so many times.
//
// Days, weeks and months are counted by the clocks of the zone, hours and minutes by time that passes. A local time that
// clocks leave out stands for the moment at which they are put forward; one that comes twice for the first of the two.
// Runs are counted from the date that was planned, never from the moment at which one began. Pure, any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::harvest {

using Moment = std::chrono::sys_seconds;

enum class Unit : uint8_t { minute, hour, day, week, month };
// "minute", "hour", "day", "week", "month"
std::string_view name_of(Unit unit);
std::optional<Unit> unit_named(std::string_view name);

// A part that is not set may be anything: the frequency then keeps that of the date before.
struct Frequency {
  Unit unit = Unit::day;
  int every = 1;               // so many units
  std::optional<int> minute;   // 0 to 59; from hours on
  std::optional<int> hour;     // 0 to 23; from days on, with a minute
  std::optional<int> weekday;  // 1 is Monday, 7 Sunday; for weeks, with an hour
  std::optional<int> day;      // 1 to 31, the last day of shorter months; for months, with an hour

  bool operator==(const Frequency&) const = default;
};

struct Schedule {
  Frequency frequency;
  std::string zone = "UTC";
  std::optional<Moment> starts, ends;  // no run before, none after
  std::optional<int64_t> times;        // so many runs in all

  bool operator==(const Schedule&) const = default;
};

// ErrorCode::config says what is wrong.
Result<void> check(const Schedule& schedule);

// The first date, not before `now` nor before the schedule starts. Nothing if there is none.
Result<std::optional<Moment>> first_run(const Schedule& schedule, Moment now);

// The first date by a schedule that takes the place of another: of `runs` that there were, the last was at `last`. The first
// place in time that it names; a unit behind the last run if it names none, or more than one unit. Nothing if there is none.
Result<std::optional<Moment>> first_run_behind(const Schedule& schedule, const std::optional<Moment>& last,
                                               int64_t runs, Moment now);

struct NextRun {
  std::optional<Moment> at;  // nothing: there are no more
  int64_t missed = 0;        // dates that have passed meanwhile, and are left out
};
// The date after `planned`, behind `now`. `runs`: how many there were, that of `planned` among them.
Result<NextRun> next_run(const Schedule& schedule, Moment planned, int64_t runs, Moment now);

// "every 2 weeks on Monday at 09:30 (Europe/Vienna), not before 2026-11-29 08:00 UTC, 10 times"
std::string in_words(const Schedule& schedule);

}  // namespace caddis::harvest
