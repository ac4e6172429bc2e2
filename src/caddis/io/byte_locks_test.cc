#include "caddis/io/byte_locks.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/testdata.h"

namespace caddis::io {
namespace {

using Kind = ByteLocks::Kind;

TEST(ByteLocks, AnExclusiveOneIsAlone) {
  const testing::TempDir folder;
  auto first = ByteLocks::open(folder / "locks");
  const auto second = ByteLocks::open(folder / "locks");
  ASSERT_TRUE(first && second);
  constexpr uint64_t kFar = ~uint64_t{0};
  for (const uint64_t number : {uint64_t{0}, uint64_t{64}, kFar}) {
    EXPECT_TRUE(first->lock(number, Kind::exclusive));
    EXPECT_TRUE(first->lock(number, Kind::exclusive)) << "it has it already";
    EXPECT_FALSE(second->lock(number, Kind::exclusive));
    EXPECT_FALSE(second->lock(number, Kind::shared));
    EXPECT_TRUE(second->is_held_by_others(number));
    EXPECT_FALSE(first->is_held_by_others(number));
  }
  EXPECT_TRUE(second->lock(1, Kind::exclusive));
  first->unlock(64);
  EXPECT_TRUE(second->lock(64, Kind::exclusive));
  EXPECT_FALSE(second->lock(0, Kind::exclusive));
}

TEST(ByteLocks, SharedOnesStandBesideEachOther) {
  const testing::TempDir folder;
  const auto first = ByteLocks::open(folder / "locks");
  const auto second = ByteLocks::open(folder / "locks");
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->lock(7, Kind::shared));
  EXPECT_TRUE(second->lock(7, Kind::shared));
  EXPECT_FALSE(first->lock(7, Kind::exclusive));
  second->unlock(7);
  EXPECT_FALSE(first->is_held_by_others(7));
}

TEST(ByteLocks, TheyEndWithTheirOwner) {
  const testing::TempDir folder;
  std::optional<ByteLocks> first;
  first.emplace(*ByteLocks::open(folder / "locks"));
  const auto second = ByteLocks::open(folder / "locks");
  ASSERT_TRUE(second);
  EXPECT_TRUE(first->lock(7, Kind::exclusive));
  EXPECT_FALSE(second->lock(7, Kind::exclusive));
  first.reset();
  EXPECT_TRUE(second->lock(7, Kind::exclusive));
}

}  // namespace
}  // namespace caddis::io
