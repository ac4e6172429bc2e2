#include "caddis/visit/consent_walls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::visit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

WaitingPage page(uint64_t fingerprint) {
  WaitingPage made;
  made.again.fingerprint = fingerprint;
  return made;
}

std::vector<uint64_t> opened(ConsentWalls& walls, uint64_t target) {
  std::vector<uint64_t> found;
  for (const WaitingPage& each : walls.open(target)) found.push_back(each.again.fingerprint);
  return found;
}

TEST(ConsentWalls, LetThoseInThatWaitAndNobodyWaitsBehindAnOpenOne) {
  ConsentWalls walls;
  EXPECT_TRUE(walls.add(1, page(11)));
  EXPECT_TRUE(walls.add(2, page(21)));
  EXPECT_TRUE(walls.add(1, page(12)));
  EXPECT_THAT(opened(walls, 1), ElementsAre(11, 12));
  EXPECT_FALSE(walls.add(1, page(13)));
  EXPECT_THAT(opened(walls, 1), IsEmpty());
  EXPECT_THAT(opened(walls, 3), IsEmpty());
  EXPECT_THAT(opened(walls, 2), ElementsAre(21));
}

TEST(ConsentWalls, ForgetWhatIsTooMuch) {
  ConsentWalls walls;
  for (uint64_t i = 0; i < 2 * ConsentWalls::kMostOfAWall; ++i) EXPECT_TRUE(walls.add(1, page(i)));
  for (uint64_t i = 0; i < ConsentWalls::kMost - ConsentWalls::kMostOfAWall; ++i)
    EXPECT_TRUE(walls.add(1000 + i, page(i)));
  EXPECT_TRUE(walls.add(2, page(7)));
  EXPECT_THAT(opened(walls, 1), IsEmpty()) << "the oldest has made room";
  EXPECT_THAT(opened(walls, 1000), ElementsAre(0));
  for (uint64_t i = 0; i < ConsentWalls::kMostOfAWall + 1; ++i) EXPECT_TRUE(walls.add(3, page(i)));
  EXPECT_EQ(opened(walls, 3).size(), ConsentWalls::kMostOfAWall);
  for (uint64_t i = 0; i < ConsentWalls::kMostOpen; ++i) (void)walls.open(100'000 + i);
  EXPECT_TRUE(walls.add(3, page(1))) << "that it has opened is forgotten";
}

}  // namespace
}  // namespace caddis::visit
