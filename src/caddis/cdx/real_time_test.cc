#include "caddis/cdx/real_time.h"

#include <gtest/gtest.h>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdx {
namespace {

TEST(RealTime, EachPartIsPutWithinItsRange) {
  EXPECT_EQ(real_timestamp("99999999999999"), "99991231235959");
  EXPECT_EQ(real_timestamp("20260230000000"), "20260228000000");
  EXPECT_EQ(real_timestamp("20240230"), "20240229");
  EXPECT_EQ(real_timestamp("20261301000000"), "20261201000000");
  EXPECT_EQ(real_timestamp("20250011"), "20250111");
  EXPECT_EQ(real_timestamp("20250100"), "20250101");
  EXPECT_EQ(real_timestamp("2025010199"), "2025010123");
  EXPECT_EQ(real_timestamp("20250101246099500"), "20250101235959500");
  EXPECT_EQ(real_timestamp("00000000000000"), "00000101000000");
}

TEST(RealTime, WhatIsCutOffIsFilledUp) {
  EXPECT_EQ(real_timestamp("2"), "2000");
  EXPECT_EQ(real_timestamp("20251"), "202510");
  EXPECT_EQ(real_timestamp("20250"), "202501");
  EXPECT_EQ(real_timestamp("2025013"), "20250130");
}

TEST(RealTime, WhatIsATimeOrNoneStaysAsItIs) {
  for (const std::string_view text :
       {"", "2025", "20250228", "20250101000000", "20250101000000123", "latest", "2025-01"})
    EXPECT_EQ(real_timestamp(text), text);
}

class AskedForNoDate : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(files.make_dirs("c/indexes"));
    std::string text;
    for (const std::string_view timestamp : kTimes)
      text +=
          "com,a)/ " + std::string(timestamp) + R"( {"url": "http://a.com/", "offset": "1", "filename": "f"})" + '\n';
    ASSERT_TRUE(files.write_atomically("c/indexes/1.cdxj", text));
  }
  // The first that each way of asking gives.
  std::string nearest(const std::string& timestamp) {
    CaptureIndex index(files, clock, "c");
    const auto captures = index.captures_of("http://a.com/");
    const auto near = captures ? captures->closest(timestamp, 2) : std::unexpected(captures.error());
    const auto query = parse_query("url=http://a.com/&limit=1&closest=" + timestamp);
    const auto listed = query ? run_query(index, *query) : std::unexpected(query.error());
    if (!near || near->empty() || !listed || listed->empty()) return "nothing";
    EXPECT_EQ(near->front().timestamp, listed->front().timestamp) << timestamp;
    return near->front().timestamp;
  }
  static constexpr std::string_view kTimes[] = {"19980101000000", "20160101000000", "20250110000000",
                                                "20250228000500", "20250228230000", "20251220000000"};
  io::MemoryFiles files;
  ManualClock clock;
};

TEST_F(AskedForNoDate, TheNearestToTheRealOneIsMeant) {
  EXPECT_EQ(nearest("99999999999999"), "20251220000000");
  EXPECT_EQ(nearest("20260230000000"), "20251220000000");
  EXPECT_EQ(nearest("20251301000000"), "20251220000000");
  EXPECT_EQ(nearest("20250011"), "20250110000000");
  EXPECT_EQ(nearest("20250230000000"), "20250228000500");
  EXPECT_EQ(nearest("00000000000000"), "19980101000000");
  EXPECT_EQ(nearest("2015139"), "20160101000000");
}

TEST(RealTime, DistancesAreOfRealTimes) {
  EXPECT_EQ(timestamp_distance("20250228000000", "20250230000000"), 0);
  EXPECT_EQ(timestamp_distance("20250111000000", "20250011"), 0);
  EXPECT_EQ(timestamp_distance("99991231235959", "99999999999999"), 0);
}

}  // namespace
}  // namespace caddis::cdx
