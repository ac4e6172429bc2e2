#include "caddis/text/time_zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::text {
namespace {

using namespace std::chrono;
using namespace std::chrono_literals;

constexpr sys_seconds at(int y, unsigned m, unsigned d, seconds of_day = 0s) {
  return sys_days(year(y) / month(m) / day(d)) + of_day;
}

TEST(TimeZone, ClocksArePutForwardAndBack) {
  const auto vienna = TimeZone::find("Europe/Vienna").value();
  EXPECT_EQ(vienna->offset_at(at(2026, 1, 15)), 1h);
  EXPECT_EQ(vienna->offset_at(at(2026, 7, 15)), 2h);
  EXPECT_EQ(vienna->next_change(at(2026, 1, 15)), at(2026, 3, 29, 1h));
  EXPECT_EQ(vienna->next_change(at(2026, 3, 29, 1h)), at(2026, 10, 25, 1h));
  EXPECT_EQ(vienna->offset_at(at(2026, 3, 29, 59min + 59s)), 1h);
  EXPECT_EQ(vienna->offset_at(at(2026, 3, 29, 1h)), 2h);
}

TEST(TimeZone, SomeNeverAre) {
  EXPECT_FALSE(TimeZone::find("UTC").value()->next_change(at(2026, 1, 1)));
  const auto kathmandu = TimeZone::find("Asia/Kathmandu").value();
  EXPECT_EQ(kathmandu->offset_at(at(2026, 7, 15)), 5h + 45min);
}

TEST(TimeZone, OthersAreNamed) {
  for (const char* const name : {"Europe/Wien", "europe/vienna", "", "08:00", "Vienna\n"}) {
    const auto zone = TimeZone::find(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_THAT(zone.error().message, ::testing::HasSubstr("is no time zone, such as Europe/Vienna"));
  }
}

}  // namespace
}  // namespace caddis::text
