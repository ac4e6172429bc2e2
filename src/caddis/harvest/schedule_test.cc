#include "caddis/harvest/schedule.h"

#include <gtest/gtest.h>

#include "caddis/base/time_format.h"

namespace caddis::harvest {
namespace {

Moment at(std::string_view text) { return std::chrono::floor<std::chrono::seconds>(parse_w3c_date(text).value()); }

std::string text_of(const std::optional<Moment>& moment) { return moment ? rfc3339(*moment) : "none"; }

Schedule every(int number, Unit unit) {
  Schedule schedule;
  schedule.frequency.every = number;
  schedule.frequency.unit = unit;
  return schedule;
}

std::string first(const Schedule& schedule, std::string_view now) {
  const auto found = first_run(schedule, at(now));
  return found ? text_of(*found) : found.error().message;
}

std::string next(const Schedule& schedule, std::string_view planned, std::string_view now = "2000-01-01") {
  const auto found = next_run(schedule, at(planned), 1, at(now));
  return found ? text_of(found->at) : found.error().message;
}

TEST(Schedule, RunsAtAnyTimeFromNowOn) {
  EXPECT_EQ(first(every(1, Unit::hour), "2026-03-01T10:20:30Z"), "2026-03-01T10:20:30Z");
  EXPECT_EQ(next(every(1, Unit::hour), "2026-03-01T10:20:30Z"), "2026-03-01T11:20:30Z");
  EXPECT_EQ(next(every(15, Unit::minute), "2026-03-01T10:20:00Z"), "2026-03-01T10:35:00Z");
  EXPECT_EQ(next(every(2, Unit::day), "2026-03-01T10:20:00Z"), "2026-03-03T10:20:00Z");
  EXPECT_EQ(next(every(3, Unit::week), "2026-03-01T10:20:00Z"), "2026-03-22T10:20:00Z");
  EXPECT_EQ(next(every(1, Unit::month), "2026-03-01T10:20:00Z"), "2026-04-01T10:20:00Z");
}

TEST(Schedule, HoursHaveAMinute) {
  Schedule hourly = every(2, Unit::hour);
  hourly.frequency.minute = 15;
  EXPECT_EQ(first(hourly, "2026-03-01T10:10:00Z"), "2026-03-01T10:15:00Z");
  EXPECT_EQ(first(hourly, "2026-03-01T10:15:00Z"), "2026-03-01T10:15:00Z");
  EXPECT_EQ(first(hourly, "2026-03-01T10:15:01Z"), "2026-03-01T11:15:00Z");
  EXPECT_EQ(first(hourly, "2026-03-01T10:59:59Z"), "2026-03-01T11:15:00Z");
  EXPECT_EQ(next(hourly, "2026-03-01T11:15:00Z"), "2026-03-01T13:15:00Z");
}

TEST(Schedule, DaysHaveAnHour) {
  Schedule daily = every(1, Unit::day);
  daily.frequency.hour = 5;
  daily.frequency.minute = 30;
  EXPECT_EQ(first(daily, "2026-03-01T05:30:00Z"), "2026-03-01T05:30:00Z");
  EXPECT_EQ(first(daily, "2026-03-01T05:30:01Z"), "2026-03-02T05:30:00Z");
  EXPECT_EQ(next(daily, "2026-02-28T05:30:00Z"), "2026-03-01T05:30:00Z");
}

TEST(Schedule, WeeksHaveADay) {
  Schedule weekly = every(2, Unit::week);
  weekly.frequency.weekday = 1;
  weekly.frequency.hour = 0;
  weekly.frequency.minute = 0;
  EXPECT_EQ(first(weekly, "2026-03-01T00:00:00Z"), "2026-03-02T00:00:00Z");  // a Sunday
  EXPECT_EQ(first(weekly, "2026-03-02T00:00:00Z"), "2026-03-02T00:00:00Z");
  EXPECT_EQ(first(weekly, "2026-03-02T00:00:01Z"), "2026-03-09T00:00:00Z");
  EXPECT_EQ(next(weekly, "2026-03-02T00:00:00Z"), "2026-03-16T00:00:00Z");
}

TEST(Schedule, MonthsHaveADayThatShorterOnesBringForward) {
  Schedule monthly = every(1, Unit::month);
  monthly.frequency.day = 31;
  monthly.frequency.hour = 12;
  monthly.frequency.minute = 0;
  EXPECT_EQ(first(monthly, "2026-02-10T00:00:00Z"), "2026-02-28T12:00:00Z");
  EXPECT_EQ(next(monthly, "2026-02-28T12:00:00Z"), "2026-03-31T12:00:00Z");
  EXPECT_EQ(next(monthly, "2026-03-31T12:00:00Z"), "2026-04-30T12:00:00Z");
  EXPECT_EQ(next(monthly, "2024-01-31T12:00:00Z"), "2024-02-29T12:00:00Z");
}

TEST(Schedule, AShortMonthDoesNotMakeTheDayEarlierForEver) {
  Schedule monthly = every(1, Unit::month);
  monthly.starts = at("2026-01-31T08:00:00Z");
  EXPECT_EQ(next(monthly, "2026-01-31T08:00:00Z"), "2026-02-28T08:00:00Z");
  EXPECT_EQ(next(monthly, "2026-02-28T08:00:00Z"), "2026-03-31T08:00:00Z");
}

TEST(Schedule, GoesByTheClocksOfItsZone) {
  Schedule daily = every(1, Unit::day);
  daily.zone = "Europe/Copenhagen";
  daily.frequency.hour = 2;
  daily.frequency.minute = 30;
  EXPECT_EQ(next(daily, "2026-03-27T01:30:00Z"), "2026-03-28T01:30:00Z");
  // On the 29th clocks go from 2:00 to 3:00; then the same hour is one earlier in UTC.
  EXPECT_EQ(next(daily, "2026-03-28T01:30:00Z"), "2026-03-29T01:00:00Z");
  EXPECT_EQ(next(daily, "2026-03-29T01:00:00Z"), "2026-03-30T00:30:00Z");
  // On October 25 the hour from 2:00 to 3:00 comes twice: the first one counts.
  EXPECT_EQ(next(daily, "2026-10-24T00:30:00Z"), "2026-10-25T00:30:00Z");
  EXPECT_EQ(next(daily, "2026-10-25T00:30:00Z"), "2026-10-26T01:30:00Z");
}

TEST(Schedule, ZonesWithHalvesOfHoursHaveTheirOwnMinutes) {
  Schedule hourly = every(1, Unit::hour);
  hourly.zone = "Asia/Kolkata";
  hourly.frequency.minute = 0;
  EXPECT_EQ(first(hourly, "2026-03-01T10:00:00Z"), "2026-03-01T10:30:00Z");
}

TEST(Schedule, LeavesOutAndCountsWhatWasMissed) {
  Schedule daily = every(1, Unit::day);
  daily.frequency.hour = 6;
  daily.frequency.minute = 0;
  const auto found = next_run(daily, at("2026-03-01T06:00:00Z"), 1, at("2026-03-05T07:00:00Z")).value();
  EXPECT_EQ(text_of(found.at), "2026-03-06T06:00:00Z");
  EXPECT_EQ(found.missed, 4);
  const auto in_time = next_run(daily, at("2026-03-01T06:00:00Z"), 1, at("2026-03-01T06:00:03Z")).value();
  EXPECT_EQ(in_time.missed, 0);
}

TEST(Schedule, EndsWhenItSays) {
  Schedule daily = every(1, Unit::day);
  daily.ends = at("2026-03-03T10:00:00Z");
  EXPECT_EQ(next(daily, "2026-03-02T10:00:00Z"), "2026-03-03T10:00:00Z");
  EXPECT_EQ(next(daily, "2026-03-03T10:00:00Z"), "none");
  EXPECT_EQ(first(daily, "2026-03-03T10:00:01Z"), "none");
  daily = every(1, Unit::day);
  daily.times = 3;
  EXPECT_TRUE(next_run(daily, at("2026-03-02"), 2, at("2026-03-02")).value().at);
  EXPECT_FALSE(next_run(daily, at("2026-03-02"), 3, at("2026-03-02")).value().at);
}

TEST(Schedule, StartsWhenItSays) {
  Schedule weekly = every(1, Unit::week);
  weekly.starts = at("2026-06-01T09:00:00Z");
  EXPECT_EQ(first(weekly, "2026-03-01T10:00:00Z"), "2026-06-01T09:00:00Z");
  EXPECT_EQ(first(weekly, "2026-07-01T10:00:00Z"), "2026-07-01T10:00:00Z");
}

TEST(Schedule, RefusesWhatMakesNoSense) {
  const auto why = [](const Schedule& schedule) {
    const auto good = check(schedule);
    return good ? std::string("good") : good.error().message;
  };
  EXPECT_EQ(why(every(1, Unit::day)), "good");
  EXPECT_EQ(why(every(0, Unit::day)), "the number of units is 1 to 10000, not 0");
  Schedule one = every(1, Unit::hour);
  one.frequency.hour = 3;
  EXPECT_EQ(why(one), "an hour is for days, weeks and months");
  one = every(1, Unit::day);
  one.frequency.hour = 24;
  EXPECT_EQ(why(one), "the hour is 0 to 23, not 24");
  one.frequency.hour = 3;
  EXPECT_EQ(why(one), "an hour needs a minute");
  one = every(1, Unit::day);
  one.zone = "Europe/Atlantis";
  EXPECT_NE(why(one), "good");
  one = every(1, Unit::week);
  one.frequency.day = 3;
  EXPECT_EQ(why(one), "a day is for months");
  one = every(1, Unit::month);
  one.frequency.day = 3;
  EXPECT_EQ(why(one), "a day needs an hour");
  one = every(1, Unit::day);
  one.times = 0;
  EXPECT_EQ(why(one), "a schedule has at least one run");
}

TEST(Schedule, IsToldInWords) {
  Schedule weekly = every(2, Unit::week);
  weekly.frequency.weekday = 1;
  weekly.frequency.hour = 9;
  weekly.frequency.minute = 5;
  weekly.zone = "Europe/Vienna";
  weekly.times = 10;
  EXPECT_EQ(in_words(weekly), "every 2 weeks on Monday at 09:05 (Europe/Vienna), 10 times");
  EXPECT_EQ(in_words(every(1, Unit::hour)), "every hour (UTC)");
  Schedule bounded = every(1, Unit::day);
  bounded.starts = Moment(std::chrono::seconds(1'700'000'000));
  bounded.times = 1;
  EXPECT_EQ(in_words(bounded), "every day (UTC), not before 2023-11-14 22:13 UTC, once");
  bounded.times.reset();
  bounded.ends = *bounded.starts + std::chrono::hours(24);
  EXPECT_EQ(in_words(bounded), "every day (UTC), not before 2023-11-14 22:13 UTC, not after 2023-11-15 22:13 UTC");
}

// Whatever the frequency: dates ascend, and each fits what is asked for.
TEST(Schedule, DatesAscendAndFitForYears) {
  for (const std::string_view zone : {"UTC", "Europe/Copenhagen", "America/St_Johns", "Australia/Lord_Howe"}) {
    for (const Unit unit : {Unit::hour, Unit::day, Unit::week, Unit::month}) {
      Schedule schedule = every(1, unit);
      schedule.zone = zone;
      schedule.frequency.minute = 10;
      if (unit != Unit::hour) schedule.frequency.hour = 2;
      if (unit == Unit::week) schedule.frequency.weekday = 7;
      if (unit == Unit::month) schedule.frequency.day = 30;
      Moment last = first_run(schedule, at("2026-01-01")).value().value();
      for (int i = 0; i < 800; ++i) {
        const auto following = next_run(schedule, last, 1, last).value();
        ASSERT_TRUE(following.at);
        ASSERT_GT(*following.at, last) << zone << " " << name_of(unit) << " " << rfc3339(last);
        ASSERT_EQ(following.missed, 0);
        last = *following.at;
      }
    }
  }
}

}  // namespace
}  // namespace caddis::harvest
