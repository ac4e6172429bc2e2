// Whole crawls in the simulated world whose sheets hold at times, and whose files of rules change while they run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "caddis/collection/launch.h"
#include "caddis/scope/time_span.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::SimCrawl;

void load(SimCrawl& crawl, std::string_view yaml) {
  const auto loaded = load_settings(yaml, "crawl.yaml", crawl.settings);
  ASSERT_TRUE(loaded) << loaded.error().message;
}

std::string read(SimCrawl& crawl, const std::string& name) {
  const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  return crawl.disk.files.read_all((*launch)->folder() + name).value_or("");
}

std::vector<std::string> sheets_of(Operator& running, const std::string& host) {
  const auto report = running.frontier().admin().explain_host(host);
  EXPECT_TRUE(report);
  return report ? report->sheets : std::vector<std::string>();
}

constexpr Duration kDay = 2h, kNight = 20min;
const std::vector<std::string> kFastTimes = {"mon..fri 22:00..06:00 Europe/Vienna", "sat,sun Europe/Vienna"};

// Gentle by day, fast by night and at weekends: no two visits of a host are closer to each other than what holds when
// the first of them ends.
TEST(Times, DelaysFollowTheWeek) {
  SimCrawl crawl(3);
  load(crawl, R"(
politeness: {delay: 2h}
crawl: {progress-interval: 1d}
limits: {run-while-empty: true}
sheets:
  night:
    times: ["mon..fri 22:00..06:00 Europe/Vienna", "sat,sun Europe/Vienna"]
    settings: {politeness: {delay: 20m}}
)");
  const auto fast = scope::TimeSpans::parse(kFastTimes).value();
  std::map<std::string, std::vector<WallTime>> visits;
  aio::SimLoop* loop = nullptr;
  std::optional<WallTime> begin, fed;
  crawl.site.on_request = [&](const std::string& url, std::string_view) {
    if (loop != nullptr && !url.ends_with("/robots.txt"))
      visits[url.substr(7, url.find('/', 7) - 7)].push_back(loop->clock().wall());
  };
  crawl.on_pulse = [&](aio::SimLoop& now, Operator& running) {
    loop = &now;
    const WallTime wall = now.clock().wall();
    if (!begin) begin = wall;
    if (wall - *begin > 7 * 24h) return running.stop("a week is over");
    if (fed && wall - *fed < 1h) return;
    fed = wall;
    std::vector<Operator::AddedUrl> urls;
    for (const char* const host : {"a.test", "b.test"})
      for (int i = 0; i < 4; ++i)
        urls.push_back({.url = fmt::format("http://{}/p{}", host, i), .via = "", .hops = "", .force = true});
    ASSERT_TRUE(running.add_urls(urls));
  };
  (void)crawl.live({.events = 4'000'000, .changes = std::nullopt});
  for (const char* const host : {"a.test", "b.test"}) {
    const auto& times = visits[host];
    size_t by_day = 0, by_night = 0;
    for (size_t i = 1; i < times.size(); ++i) {
      const Duration gap = times[i] - times[i - 1];
      const bool is_fast = fast.hold(times[i - 1]);
      // Within a second the new settings are there.
      const bool changes = fast.hold(times[i - 1] - 2s) != is_fast || fast.hold(times[i - 1] + 2s) != is_fast;
      EXPECT_GE(gap, (is_fast || changes ? kNight : kDay) - 1s) << host << " at " << rfc3339(times[i - 1]);
      // Once a day robots.txt comes between two.
      if (gap < kDay) EXPECT_LE(gap, 2 * kNight + 2min) << host << " at " << rfc3339(times[i - 1]);
      ++(is_fast ? by_night : by_day);
    }
    // Five days of 16 hours, and 88 hours that are fast.
    EXPECT_GE(by_day, 30u);
    EXPECT_GE(by_night, 200u);
  }
  EXPECT_THAT(read(crawl, "/logs/progress-statistics.log"), HasSubstr("sheet 'night' holds from now on"));
  EXPECT_THAT(read(crawl, "/logs/progress-statistics.log"), HasSubstr("sheet 'night' holds no longer"));
}

// A host that is not to be visited by day.
TEST(Times, RetireByDay) {
  SimCrawl crawl(4);
  load(crawl, R"(
politeness: {delay: 10m}
crawl: {progress-interval: 1d}
limits: {run-while-empty: true}
sheets:
  closed: {sites: [b.test], times: ["08:00..18:00"], settings: {frontier: {retire: true}}}
)");
  const auto day = scope::TimeSpans::parse({"08:00..18:00"}).value();
  std::map<std::string, std::array<size_t, 2>> visits;  // by night, by day
  aio::SimLoop* loop = nullptr;
  std::optional<WallTime> begin, fed;
  crawl.site.on_request = [&](const std::string& url, std::string_view) {
    if (loop == nullptr) return;
    const WallTime now = loop->clock().wall();
    const bool changes = day.hold(now - 2s) != day.hold(now);
    if (!changes) ++visits[url.substr(7, url.find('/', 7) - 7)][day.hold(now) ? 1 : 0];
  };
  crawl.on_pulse = [&](aio::SimLoop& now, Operator& running) {
    loop = &now;
    const WallTime wall = now.clock().wall();
    if (!begin) begin = wall;
    if (wall - *begin > 3 * 24h) return running.stop("three days are over");
    if (fed && wall - *fed < 1h) return;
    fed = wall;
    std::vector<Operator::AddedUrl> urls;
    for (const char* const host : {"a.test", "b.test"})
      for (int i = 0; i < 4; ++i)
        urls.push_back({.url = fmt::format("http://{}/p{}", host, i), .via = "", .hops = "", .force = true});
    ASSERT_TRUE(running.add_urls(urls));
  };
  (void)crawl.live({.events = 4'000'000, .changes = std::nullopt});
  EXPECT_GE(visits["a.test"][1], 60u);
  EXPECT_EQ(visits["b.test"][1], 0u);
  EXPECT_GE(visits["b.test"][0], 100u) << "what was found by day is visited by night";
}

// The clock on the wall is put forward and back: what it says counts within a second.
TEST(Times, FollowAClockThatJumps) {
  SimCrawl crawl(1);
  load(crawl, R"(
sheets:
  advent: {sites: [b.test], times: ["2026-12-01..2026-12-24"], settings: {fetch: {accept: text/advent}, scope: {max-hops: 2}}}
)");
  int stage = 0;
  WallTime changed{};
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    const WallTime wall = loop.clock().wall();
    const auto jump = [&](WallTime to) {
      loop.manual_clock().jump_wall(to);
      changed = to;
      ++stage;
    };
    if (stage == 0 && running.status().documents >= 5) {
      EXPECT_THAT(sheets_of(running, "b.test"), IsEmpty());
      EXPECT_THAT(*running.sheets_of("http://b.test/p1"), IsEmpty());
      jump(parse_w3c_date("2026-12-10T00:00:00Z").value());
    } else if (stage == 1 && wall - changed > 2s) {
      EXPECT_THAT(sheets_of(running, "b.test"), ElementsAre("advent"));
      EXPECT_THAT(*running.sheets_of("http://b.test/p1"), ElementsAre("advent"));
      EXPECT_THAT(sheets_of(running, "a.test"), IsEmpty());
      EXPECT_TRUE(running.state().scope->has_changed());
      jump(parse_w3c_date("2026-11-10T00:00:00Z").value());
    } else if (stage == 2 && wall - changed > 2s) {
      EXPECT_THAT(sheets_of(running, "b.test"), IsEmpty());
      ++stage;
    }
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  EXPECT_EQ(stage, 3);
}

// What waits was accepted at another time: whoever resumes asks again.
TEST(Times, AResumeAsksTheScopeAgain) {
  SimCrawl crawl(1);
  load(crawl, R"(
sheets:
  later: {sites: [b.test], times: ["2027-01-01..2027-12-31"], settings: {scope: {exclude: ['//b\.test/p1']}}}
)");
  ASSERT_FALSE(crawl.live({200, {}}));
  bool looked = false;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    looked = true;
    EXPECT_TRUE(running.state().scope->has_changed());
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  EXPECT_TRUE(looked);
}

// A list of a scope is put into a file, and edited while the crawl runs.
TEST(RuleFiles, AreReadAgainWhenTheyChange) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.disk.files.make_dirs("/rules"));
  const auto write = [&](std::string_view text) { ASSERT_TRUE(crawl.disk.files.write_atomically("/rules/out", text)); };
  write("/nowhere/\n");
  load(crawl, "scope: {rules: [shorthand, 'reject url @/rules/out'], reread-files: 2s}\npoliteness: {delay: 1s}\n");
  std::vector<std::string> late;
  aio::SimLoop* loop = nullptr;
  std::optional<SteadyTime> changed;
  int stage = 0;
  crawl.site.on_request = [&](const std::string& url, std::string_view) {
    if (changed && loop->clock().steady() - *changed > 3s && url.starts_with("http://a.test/p")) late.push_back(url);
  };
  crawl.on_pulse = [&](aio::SimLoop& now, Operator& running) {
    loop = &now;
    const auto is_over = [&](Duration wait) { return changed && now.clock().steady() - *changed > wait; };
    if (stage == 0 && running.status().documents >= 5) {
      write("(\n");  // no expression: the rules stay as they were
      changed = now.clock().steady();
      ++stage;
    } else if (stage == 1 && is_over(4s)) {
      late.clear();
      write("//a\\.test/p\n");
      changed = now.clock().steady();
      ++stage;
    }
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  ASSERT_EQ(stage, 2);
  EXPECT_THAT(late, IsEmpty());
  const std::string log = read(crawl, "/logs/progress-statistics.log");
  EXPECT_THAT(log, HasSubstr("/rules/out changed, but the rules stay as they were: "));
  EXPECT_THAT(log, HasSubstr("/rules/out changed: its rules count from now on"));
  EXPECT_THAT(read(crawl, "/logs/crawl.log"), HasSubstr(" -5000 "));
}

// Settings that are looked at, and never put in force, read the changed file: it counts as changed all the same.
TEST(RuleFiles, AreReadAgainThoughSomebodyHasLooked) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.disk.files.make_dirs("/rules"));
  ASSERT_TRUE(crawl.disk.files.write_atomically("/rules/out", "/nowhere/\n"));
  load(crawl, "scope: {rules: [shorthand, 'reject url @/rules/out'], reread-files: 2s}\npoliteness: {delay: 1s}\n");
  aio::Nursery nursery;
  const SettingsEdit looked_at{.settings = {{"scope.max-hops", "19"}}, .sheet = {}, .sites = {}};
  const SettingsEdit of_others{.settings = {{"politeness.delay", "900ms"}}, .sheet = {}, .sites = {}};
  bool is_changed = false;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (is_changed || running.status().documents < 5) return;
    is_changed = true;
    ASSERT_TRUE(crawl.disk.files.write_atomically("/rules/out", "//a\\.test/p\n"));
    nursery.spawn(running.prepare_settings(looked_at));
    ASSERT_TRUE(running.change_settings(of_others));
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  EXPECT_THAT(read(crawl, "/logs/progress-statistics.log"),
              HasSubstr("/rules/out changed: its rules count from now on"));
}

TEST(RuleFiles, AreLeftAloneIfNobodyWantsIt) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.disk.files.make_dirs("/rules"));
  ASSERT_TRUE(crawl.disk.files.write_atomically("/rules/out", "/nowhere/\n"));
  load(crawl, "scope: {rules: [shorthand, 'reject url @/rules/out'], reread-files: 0s}\n");
  bool changed = false;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (changed || running.status().documents < 5) return;
    changed = true;
    ASSERT_TRUE(crawl.disk.files.write_atomically("/rules/out", "//a\\.test/p\n"));
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  crawl.verify();
  EXPECT_THAT(read(crawl, "/logs/progress-statistics.log"), Not(HasSubstr("/rules/out")));
}

}  // namespace
}  // namespace caddis::crawl
