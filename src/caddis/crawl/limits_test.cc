#include "caddis/crawl/limits.h"

#include <gtest/gtest.h>

#include "caddis/crawl/statistics.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;

TEST(Limits, EachForItself) {
  const LimitCounts counts{10, 2000, 1500, 700, 90s, 20s, 30s};
  const auto reached = [](const config::LimitSettings& settings, const LimitCounts& of) {
    const auto limit = limit_reached(settings, of);
    return limit ? limit->text : std::string();
  };
  EXPECT_TRUE(limits_in_use({}, counts).empty());
  EXPECT_EQ(reached({}, counts), "");
  const auto with = [](auto member, auto value) {
    config::LimitSettings settings;
    settings.*member = value;
    return settings;
  };
  using S = config::LimitSettings;
  EXPECT_EQ(reached(with(&S::max_documents, 10), counts), "reached max-documents (10)");
  EXPECT_EQ(reached(with(&S::max_documents, 11), counts), "");
  EXPECT_EQ(reached(with(&S::max_bytes, 2000), counts), "reached max-bytes (2.0 KB)");
  EXPECT_EQ(reached(with(&S::max_bytes, 2001), counts), "");
  EXPECT_EQ(reached(with(&S::max_novel_bytes, 1500), counts), "reached max-novel-bytes (1.5 KB)");
  EXPECT_EQ(reached(with(&S::max_novel_bytes, 1501), counts), "");
  EXPECT_EQ(reached(with(&S::max_warc_bytes, 700), counts), "reached max-warc-bytes (700 bytes)");
  EXPECT_EQ(reached(with(&S::max_warc_bytes, 701), counts), "");
  EXPECT_EQ(reached(with(&S::max_time, Duration(90s)), counts), "reached max-time (1m30s)");
  EXPECT_EQ(reached(with(&S::max_time, Duration(91s)), counts), "");
  EXPECT_EQ(reached(with(&S::max_silence, Duration(20s)), counts), "reached max-silence (20s)");
  EXPECT_EQ(reached(with(&S::max_silence, Duration(21s)), counts), "");
  EXPECT_EQ(reached(with(&S::max_idle, Duration(30s)), counts), "reached max-idle (30s)");
  EXPECT_EQ(reached(with(&S::max_idle, Duration(31s)), counts), "");
  EXPECT_EQ(limits_in_use(with(&S::max_idle, Duration(40s)), counts).front().text, "max-idle: 30s of 40s");
}

TEST(Activity, CountsTimeInWhichNothingHappens) {
  Activity activity;
  SteadyTime now{};
  const auto look = [&](bool may_visit, uint64_t received, uint64_t begun, uint64_t visiting) {
    activity.look(now, may_visit, received, begun, visiting);
    now += 1s;
    return std::pair(activity.silence(), activity.idle());
  };
  using Pair = std::pair<Duration, Duration>;
  EXPECT_EQ(look(true, 0, 0, 0), Pair(0s, 0s));
  EXPECT_EQ(look(true, 0, 1, 1), Pair(1s, 0s)) << "it connects";
  EXPECT_EQ(look(true, 500, 1, 1), Pair(0s, 0s));
  EXPECT_EQ(look(true, 500, 1, 0), Pair(1s, 1s));
  EXPECT_EQ(look(true, 600, 2, 0), Pair(0s, 0s)) << "one came and went in between";
  EXPECT_EQ(look(true, 600, 2, 0), Pair(1s, 1s));
  EXPECT_EQ(look(false, 600, 2, 0), Pair(1s, 1s)) << "paused";
  EXPECT_EQ(look(true, 600, 2, 0), Pair(2s, 2s));
  activity.restart();
  EXPECT_EQ(activity.silence(), Duration(0));
}

TEST(Statistics, CountNovelBytes) {
  Statistics statistics;
  visit::LogEntry entry;
  entry.status = 200;
  entry.size = 100;
  statistics.count(entry, "h.example", false, false, "");
  entry.status = 304;
  entry.size = 30;
  statistics.count(entry, "h.example", false, false, "");
  EXPECT_EQ(statistics.bytes(), 130u);
  EXPECT_EQ(statistics.novel_bytes(), 100u);
}

}  // namespace
}  // namespace caddis::crawl
