#include "caddis/engine/shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/testdata.h"

namespace caddis::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kGigabyte = 1'000'000'000;

TEST(Shares, WithoutAnAllowanceAJobGetsWhatItAsksFor) {
  const Wishes wishes{.memory = 2 * kGigabyte, .lanes = 3, .bandwidth = 0, .warc_bytes = 0};
  EXPECT_EQ(memory_share({}, wishes, 5), 2 * kGigabyte);
  EXPECT_EQ(lane_share({}, wishes, 5), 3u);
  EXPECT_THAT(divided_settings({}, wishes, {.running = 2}), IsEmpty());
}

TEST(Shares, MemoryIsDividedAmongThePlaces) {
  const Allowance allowance{.memory = 4 * kGigabyte};
  EXPECT_EQ(memory_share(allowance, {.memory = 2 * kGigabyte}, 4), kGigabyte);
  EXPECT_EQ(memory_share(allowance, {.memory = kGigabyte / 2}, 4), kGigabyte / 2) << "it asks for less";
  EXPECT_EQ(memory_share(allowance, {.memory = 2 * kGigabyte}, 0), 2 * kGigabyte) << "as many as fit";
  EXPECT_EQ(memory_share(allowance, {.memory = 9 * kGigabyte}, 0), 4 * kGigabyte) << "all there is";
  EXPECT_EQ(memory_share(allowance, {.memory = 2 * kGigabyte}, 100), kLeastMemory);
}

TEST(Shares, EachJobHasALaneAtLeast) {
  EXPECT_EQ(lane_share({.processors = 4}, {}, 2), 2u);
  EXPECT_EQ(lane_share({.processors = 4}, {.lanes = 1}, 2), 1u);
  EXPECT_EQ(lane_share({.processors = 4}, {}, 20), 1u);
  EXPECT_EQ(lane_share({.processors = 4}, {}, 0), 4u);
}

TEST(Shares, BandwidthAndDiskAreDividedAmongThoseThatRun) {
  const Allowance allowance{.bandwidth = 1'000'000, .disk = 100 * kGigabyte};
  EXPECT_THAT(divided_settings(allowance, {}, {.running = 4, .disk_left = 40 * kGigabyte, .warc_bytes = kGigabyte}),
              ElementsAre("politeness.bandwidth=250000", "limits.max-warc-bytes=11000000000"));
  EXPECT_THAT(divided_settings(allowance, {.bandwidth = 1000, .warc_bytes = 5},
                               {.running = 1, .disk_left = kGigabyte, .warc_bytes = 0}),
              ElementsAre("politeness.bandwidth=1000", "limits.max-warc-bytes=5"));
  EXPECT_THAT(divided_settings(allowance, {}, {.running = 1, .disk_left = 0, .warc_bytes = 0}),
              ElementsAre("politeness.bandwidth=1000000", "limits.max-warc-bytes=1"))
      << "0 would be no limit";
}

TEST(Shares, WishesAreThoseOfTheConfiguration) {
  const testing::TempDir folder;
  std::ofstream(std::string(folder / "crawl.yaml"))
      << "memory: {total: 300MB}\ncrawl: {lanes: 2}\npoliteness: {bandwidth: 1MB}\nlimits: {max-warc-bytes: 7}\n";
  EXPECT_EQ(wishes_of(io::real_files(), JobFolder(io::real_files(), folder / "")),
            (Wishes{.memory = 300'000'000, .lanes = 2, .bandwidth = 1'000'000, .warc_bytes = 7}));
  EXPECT_EQ(wishes_of(io::real_files(), JobFolder(io::real_files(), folder / "nothing")).lanes, 0u);
}

}  // namespace
}  // namespace caddis::engine
