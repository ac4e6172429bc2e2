#include "caddis/harvest/expectation.h"

#include <gtest/gtest.h>

namespace caddis::harvest {
namespace {

int64_t expected(const std::optional<Brought>& best, const Limits& own, const Limits& harvest = {}) {
  return expected_objects({}, {best, best}, own, harvest);
}

int64_t described(const std::optional<Brought>& best, const Limits& own, const Limits& harvest = {}) {
  return expected_objects({.formula = Formula::description}, {best, best}, own, harvest);
}

TEST(Expectation, OfANewConfigurationIsWhatItsLimitsAllow) {
  EXPECT_EQ(expected({}, {}), 5000);
  EXPECT_EQ(expected({}, {4000, kNoLimit}), 4000);
  EXPECT_EQ(expected({}, {9000, kNoLimit}), 5000);
  EXPECT_EQ(expected({}, {kNoLimit, 38'000 * 100}), 100);
  EXPECT_EQ(expected({}, {}, {200, kNoLimit}), 200);
  EXPECT_EQ(expected({}, {kNoLimit, 38'000 * 100}, {kNoLimit, 38'000 * 50}), 50);
}

TEST(Expectation, GrowsByATenthOfTheRoomAfterACompleteHarvest) {
  EXPECT_EQ(expected(Brought{1000, 38'000'000, true}, {11'000, kNoLimit}), 1000 + 10'000 / 10);
  EXPECT_EQ(expected(Brought{1000, 38'000'000, false}, {11'000, kNoLimit}), 1000 + 10'000 / 2);
}

TEST(Expectation, GoesByTheWeightOfObjectsIfThereWereEnough) {
  // 60 objects of 10,000 bytes each: lighter than usual, and believed.
  EXPECT_EQ(expected(Brought{60, 600'000, false}, {kNoLimit, 10'000 * 1000}), 60 + (1000 - 60) / 2);
  // 40 such objects say nothing.
  EXPECT_EQ(expected(Brought{40, 400'000, false}, {kNoLimit, 38'000 * 1000}), 40 + (1000 - 40) / 2);
  // Heavier ones are believed at once.
  EXPECT_EQ(expected(Brought{10, 1'000'000, false}, {kNoLimit, 100'000 * 1000}), 10 + (1000 - 10) / 2);
}

TEST(Expectation, IsBoundedByTheConfigurationWhateverTheHarvestAllows) {
  EXPECT_EQ(expected(Brought{100, 3'800'000, false}, {300, kNoLimit}, {10'000, kNoLimit}), 300);
  EXPECT_EQ(expected(Brought{5000, 5000 * 38'000, true}, {300, kNoLimit}), 300);
}

TEST(Expectation, DescribedFormulaTakesTheLowerOfAllLimits) {
  EXPECT_EQ(described({}, {}), 2500);
  EXPECT_EQ(described({}, {400, kNoLimit}, {1000, kNoLimit}), 200);
  EXPECT_EQ(described(Brought{1000, 38'000'000, true}, {11'000, kNoLimit}), 2000);
  // Objects never weigh less than the setting says.
  EXPECT_EQ(described(Brought{60, 600'000, false}, {kNoLimit, 38'000 * 1000}), 60 + (1000 - 60) / 2);
  EXPECT_EQ(described(Brought{60, 60 * 76'000, false}, {kNoLimit, 76'000 * 1000}), 60 + (1000 - 60) / 2);
}

TEST(Expectation, PrecedentIsKeptAsTheHistoryWouldTell) {
  Precedent now = with_result({}, {100, 1, false});
  EXPECT_EQ(now.most, (Brought{100, 1, false}));
  now = with_result(now, {50, 2, false});
  EXPECT_EQ(now.most, (Brought{100, 1, false}));
  now = with_result(now, {70, 3, true});  // complete: nothing before it counts
  EXPECT_EQ(now.most, (Brought{70, 3, true}));
  EXPECT_EQ(now.described, (Brought{70, 3, true}));
  now = with_result(now, {60, 4, false});
  EXPECT_EQ(now.most, (Brought{70, 3, true}));
  now = with_result(now, {90, 5, false});
  EXPECT_EQ(now.most, (Brought{90, 5, false}));
  EXPECT_EQ(now.described, (Brought{70, 3, true}));  // the last complete one, by the description
}

}  // namespace
}  // namespace caddis::harvest
