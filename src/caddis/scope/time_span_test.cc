#include "caddis/scope/time_span.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/time_format.h"

namespace caddis::scope {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

WallTime at(std::string_view date) { return parse_w3c_date(date).value(); }

struct Case {
  std::string_view span, moment;
  bool holds;
  std::string_view until;  // the next change; empty if there is none
};

// 2026-11-23 is a Monday.
constexpr Case kCases[] = {
    {"08:00..18:00", "2026-11-23T08:00:00Z", true, "2026-11-23T18:00:00Z"},
    {"08:00..18:00", "2026-11-23T17:59:59Z", true, "2026-11-23T18:00:00Z"},
    {"08:00..18:00", "2026-11-23T18:00:00Z", false, "2026-11-24T08:00:00Z"},
    {"8:00..24:00", "2026-11-23T23:59:00Z", true, "2026-11-24T00:00:00Z"},
    {"22:00..06:00", "2026-11-23T21:59:59Z", false, "2026-11-23T22:00:00Z"},
    {"22:00..06:00", "2026-11-23T23:00:00Z", true, "2026-11-24T06:00:00Z"},
    {"22:00..06:00", "2026-11-23T03:00:00Z", true, "2026-11-23T06:00:00Z"},
    // In the zone that is named, in summer and in winter.
    {"22:00..06:00 Europe/Vienna", "2026-11-23T20:59:59Z", false, "2026-11-23T21:00:00Z"},
    {"22:00..06:00 Europe/Vienna", "2026-07-23T20:00:00Z", true, "2026-07-24T04:00:00Z"},
    {"Asia/Kathmandu 22:00..06:00", "2026-07-23T16:14:59Z", false, "2026-07-23T16:15:00Z"},
    // Days; the night from Friday to Saturday is Friday's.
    {"mon..fri", "2026-11-23T00:00:00Z", true, "2026-11-28T00:00:00Z"},
    {"mon..fri", "2026-11-28T00:00:00Z", false, "2026-11-30T00:00:00Z"},
    {"Sat..Mon", "2026-11-23T12:00:00Z", true, "2026-11-24T00:00:00Z"},
    {"mon,wed..thu", "2026-11-24T12:00:00Z", false, "2026-11-25T00:00:00Z"},
    {"fri 22:00..06:00", "2026-11-28T05:00:00Z", true, "2026-11-28T06:00:00Z"},
    {"fri 22:00..06:00", "2026-11-27T05:00:00Z", false, "2026-11-27T22:00:00Z"},
    {"mon..fri 08:00..18:00 America/New_York", "2026-11-23T13:00:00Z", true, "2026-11-23T23:00:00Z"},
    // Dates, the last one with them; combined with others.
    {"2026-12-24..2026-12-26", "2026-12-26T23:59:59Z", true, "2026-12-27T00:00:00Z"},
    {"2026-12-24..2026-12-26", "2026-11-23T00:00:00Z", false, "2026-12-24T00:00:00Z"},
    {"2026-12-24", "2026-12-25T00:00:00Z", false, ""},
    {"2026-12-24 Pacific/Auckland", "2026-12-23T11:00:00Z", true, "2026-12-24T11:00:00Z"},
    {"2026-12-01..2026-12-31 sun 10:00..11:00", "2026-11-23T00:00:00Z", false, "2026-12-06T10:00:00Z"},
    {"2026-12-01..2026-12-31 sun 10:00..11:00", "2026-12-27T11:00:00Z", false, ""},
    {"2026-12-01..2026-12-02 sun", "2026-11-23T00:00:00Z", false, ""},
    // Clocks are put forward from 2 to 3 in the night of 2026-03-29, and back from 3 to 2 in that of 2026-10-25.
    {"02:00..03:00 Europe/Vienna", "2026-03-28T20:00:00Z", false, "2026-03-30T00:00:00Z"},
    {"01:30..05:00 Europe/Vienna", "2026-03-29T00:30:00Z", true, "2026-03-29T03:00:00Z"},
    {"02:30..05:00 Europe/Vienna", "2026-03-28T20:00:00Z", false, "2026-03-29T01:00:00Z"},
    {"00:00..02:30 Europe/Vienna", "2026-10-24T23:00:00Z", true, "2026-10-25T00:30:00Z"},
    {"00:00..02:30 Europe/Vienna", "2026-10-25T00:59:59Z", false, "2026-10-25T01:00:00Z"},
    {"00:00..02:30 Europe/Vienna", "2026-10-25T01:00:00Z", true, "2026-10-25T01:30:00Z"},
};

TEST(TimeSpan, HoldsWhileClocksSaySo) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(std::string(one.span) + " at " + std::string(one.moment));
    const auto span = TimeSpan::parse(one.span);
    ASSERT_TRUE(span) << span.error().message;
    EXPECT_EQ(span->holds(at(one.moment)), one.holds);
    const auto until = span->next_change(at(one.moment));
    EXPECT_EQ(until ? rfc3339(*until) : "", one.until);
  }
}

// Minute by minute over the weeks in which clocks are changed: what is said of the next change is what comes.
TEST(TimeSpan, ChangesWhenItSaysSo) {
  for (const char* const text :
       {"mon..fri 08:00..18:00 Europe/Vienna", "sat,sun 22:15..06:45 Europe/Vienna", "02:10..02:50 Europe/Vienna",
        "2026-03-27..2026-03-30 01:00..04:00 Europe/Vienna", "sun Australia/Lord_Howe", "23:59..00:01"}) {
    const TimeSpan span = TimeSpan::parse(text).value();
    for (const WallTime from : {at("2026-03-25T00:00:00Z"), at("2026-10-22T00:00:00Z")}) {
      std::optional<WallTime> next = span.next_change(from);
      bool held = span.holds(from);
      for (WallTime now = from; now < from + 14 * 24h; now += 1min) {
        if (span.holds(now) == held) continue;
        ASSERT_TRUE(next) << text;
        EXPECT_EQ(rfc3339(*next), rfc3339(now)) << text;
        held = !held;
        next = span.next_change(now);
      }
    }
  }
}

TEST(TimeSpan, SeveralHoldWhileOneDoes) {
  const auto spans = TimeSpans::parse({"mon..fri 18:00..08:00", "sat,sun"}).value();
  EXPECT_FALSE(spans.hold(at("2026-11-23T12:00:00Z")));
  EXPECT_EQ(spans.next_change(at("2026-11-23T12:00:00Z")), at("2026-11-23T18:00:00Z"));
  // From Friday evening to Monday, 00:00: the night to Monday is Sunday's.
  EXPECT_EQ(spans.next_change(at("2026-11-27T18:00:00Z")), at("2026-11-30T00:00:00Z"));
  const auto always = TimeSpans::parse({"08:00..20:00", "20:00..08:00"}).value();
  EXPECT_TRUE(always.hold(at("2026-11-23T08:00:00Z")));
  EXPECT_FALSE(always.next_change(at("2026-11-23T08:00:00Z")));
  EXPECT_FALSE(TimeSpans().hold(at("2026-11-23T08:00:00Z")));
}

TEST(TimeSpan, OthersSayHowOneIsWritten) {
  for (const char* const text : {"", "Europe/Vienna", "8..18", "08:00", "08:00..25:00", "08:60..09:00", "24:00..06:00",
                                 "mon..xyz", "2026-02-30", "2026-12", "mon fri", "08:00..09:00 10:00..11:00", "mon,"}) {
    const auto span = TimeSpan::parse(text);
    ASSERT_FALSE(span) << text;
    EXPECT_THAT(span.error().message, HasSubstr("is no span of time: write days, hours, dates")) << text;
  }
  EXPECT_EQ(TimeSpan::parse("mon-fri 08:00..18:00").error().message,
            "'mon-fri': between two days or hours stand two dots: 'mon..fri'");
  EXPECT_EQ(TimeSpan::parse("mon,Thu-sat").error().message,
            "'Thu-sat': between two days or hours stand two dots: 'Thu..sat'");
  EXPECT_THAT(TimeSpan::parse("08:00-18:00").error().message, HasSubstr("two dots: '08:00..18:00'"));
  EXPECT_THAT(TimeSpan::parse("mon Europe/Wien").error().message, HasSubstr("'Europe/Wien' is no time zone"));
  EXPECT_THAT(TimeSpan::parse("08:00..08:00").error().message, HasSubstr("ends where it begins"));
  EXPECT_THAT(TimeSpan::parse("2026-12-26..2026-12-24").error().message, HasSubstr("ends before it begins"));
}

}  // namespace
}  // namespace caddis::scope
