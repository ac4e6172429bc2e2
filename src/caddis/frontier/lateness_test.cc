#include "caddis/frontier/lateness.h"

#include <gtest/gtest.h>

namespace caddis::frontier {
namespace {

using namespace std::chrono_literals;

TEST(Lateness, QuantilesAreAtMostAQuarterTooMuch) {
  for (const Duration late : {Duration(0), Duration(1us), Duration(3us), Duration(4us), Duration(5us), Duration(77us),
                              Duration(1ms), Duration(12345us), Duration(3s), Duration(1h)}) {
    Lateness lateness;
    for (int i = 0; i < 99; ++i) lateness.add(late);
    EXPECT_GE(lateness.quantile(0.5), late);
    EXPECT_LE(lateness.quantile(0.99), late + late / 4);
  }
}

TEST(Lateness, RanksAndFades) {
  Lateness lateness;
  EXPECT_EQ(lateness.quantile(0.5), Duration(0));
  for (int i = 0; i < 98; ++i) lateness.add(0us);
  for (int i = 0; i < 2; ++i) lateness.add(1s);
  EXPECT_EQ(lateness.quantile(0.5), Duration(0));
  EXPECT_EQ(lateness.quantile(0.98), Duration(0));
  EXPECT_GE(lateness.quantile(0.99), Duration(1s));
  for (int i = 0; i < 100'000; ++i) lateness.add(0us);
  EXPECT_EQ(lateness.quantile(1), Duration(0));
}

TEST(Lateness, AsLongAsADayAndLonger) {
  Lateness lateness;
  lateness.add(240h);
  EXPECT_GE(lateness.quantile(1), Duration(24h));
}

}  // namespace
}  // namespace caddis::frontier
