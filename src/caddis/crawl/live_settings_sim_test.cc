// Whole crawls in the simulated world whose settings change while they run: nothing goes by the old ones once the
// change is acknowledged, nothing is lost, and what was changed holds for the next process, too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using ::testing::HasSubstr;
using testing::SimCrawl;
using namespace std::chrono_literals;

class LiveSettingsTest : public ::testing::Test {
 protected:
  LiveSettingsTest() {
    crawl_.site.on_request = [this](const std::string& url, std::string_view head) {
      if (!url.ends_with("/robots.txt"))
        requests_.push_back({url, std::string(head), loop_ == nullptr ? SteadyTime() : loop_->clock().steady()});
    };
  }

  // Changes them once so many documents are there; `after` is called from then on.
  void change_at(uint64_t documents, SettingsEdit edit) {
    crawl_.on_pulse = [this, documents, edit](aio::SimLoop& loop, Operator& running) {
      loop_ = &loop;
      now_ = loop.clock().steady();
      if (changed_at_ || running.status().documents < documents) return;
      const auto changed = running.change_settings(edit);
      ASSERT_TRUE(changed) << changed.error().message;
      changed_at_ = now_;
      requests_before_ = requests_.size();
    };
  }
  struct Request {
    std::string url, head;
    SteadyTime at;
  };
  // Those after the change. A visit that had begun goes on as it was: one for each host at most.
  std::vector<Request> requests_after(size_t in_flight = 0) const {
    EXPECT_TRUE(changed_at_.has_value());
    return {requests_.begin() + static_cast<std::ptrdiff_t>(std::min(requests_.size(), requests_before_ + in_flight)),
            requests_.end()};
  }
  static std::string host_of(const std::string& url) { return url.substr(7, url.find('/', 7) - 7); }
  std::string read(const std::string& name) {
    const auto launch = collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection);
    return crawl_.disk.files.read_all((*launch)->folder() + name).value_or("");
  }

  SimCrawl crawl_{1};
  std::vector<Request> requests_;
  std::optional<SteadyTime> changed_at_;
  aio::SimLoop* loop_ = nullptr;  // of the process, once it has had a pulse
  SteadyTime now_;
  size_t requests_before_ = 0;
};

TEST_F(LiveSettingsTest, TheNamesOfFilesFromTheNextOneOn) {
  crawl_.settings.archive.max_file_size = 20'000;
  change_at(
      10, {.settings = {{"archive.prefix", "LATER"}, {"archive.operator", "somebody else"}, {"checkpoint.kept", "7"}}});
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  crawl_.verify();
  size_t before = 0, after = 0;
  for (const auto& entry : *crawl_.disk.files.list("/archive/c/archive"))
    ++(entry.name.starts_with("LATER-") ? after : before);
  EXPECT_GE(before, 1u);
  EXPECT_GE(after, 1u);
}

TEST_F(LiveSettingsTest, AHeaderOfEveryRequest) {
  change_at(10, {.settings = {{"fetch.accept", "text/x-changed"}}});
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  crawl_.verify();
  size_t with = 0, without = 0;
  for (const Request& one : requests_) ++(one.head.contains("Accept: text/x-changed") ? with : without);
  EXPECT_GT(with, 30u);
  EXPECT_GE(without, 10u);
  // Visits in flight at the change are those that may still send the old one.
  size_t late = 0;
  for (const Request& one : requests_after()) late += one.head.contains("Accept: text/x-changed") ? 0 : 1;
  EXPECT_LE(late, 8u);
}

TEST_F(LiveSettingsTest, ADelayOfOneHost) {
  change_at(10, {.settings = {{"politeness.delay", "2s"}}, .sheet = "gentle", .sites = {"a.test"}});
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  crawl_.verify();
  std::map<std::string, SteadyTime> last;
  std::map<std::string, Duration> least;
  for (const Request& one : requests_after(8)) {
    const std::string host = host_of(one.url);
    if (const auto before = last.find(host); before != last.end()) {
      const Duration gap = one.at - before->second;
      const auto [known, is_new] = least.try_emplace(host, gap);
      if (!is_new) known->second = std::min(known->second, gap);
    }
    last[host] = one.at;
  }
  ASSERT_TRUE(least.contains("a.test"));
  // Requests are seen at the pulse behind them.
  EXPECT_GE(least["a.test"], 1900ms);
  ASSERT_TRUE(least.contains("b.test"));
  EXPECT_LT(least["b.test"], 1000ms);
  EXPECT_THAT(read("/crawl.yaml"), HasSubstr("gentle"));
}

TEST_F(LiveSettingsTest, AScopeIsAskedForWhatWaitsToo) {
  change_at(10, {.settings = {{"scope.exclude", "//b\\.test/p"}}});
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  for (const Request& one : requests_after(8)) EXPECT_FALSE(one.url.starts_with("http://b.test/p")) << one.url;
  EXPECT_THAT(read("/logs/crawl.log"), HasSubstr(" -5000 "));
  EXPECT_THAT(read("/logs/crawl.log"), HasSubstr("scope:exclude"));
}

TEST_F(LiveSettingsTest, AScopeIsAskedAtOnceIfThatIsWanted) {
  crawl_.settings.scope.waiting = scope::WaitingUrls::at_once;
  change_at(10, {.settings = {{"scope.exclude", "//b\\.test/p"}}});
  ReviewProgress reviewed;
  bool is_paused = false;
  const auto change = crawl_.on_pulse;
  crawl_.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    change(loop, running);
    if (!changed_at_ || reviewed.asked > 0) return;
    const CrawlStatus status = running.status();
    if (!is_paused) {
      running.pause();
      is_paused = true;
    } else if (!status.review.is_running && status.review.asked > 0) {
      reviewed = status.review;
      ASSERT_TRUE(running.resume());
    }
  };
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  EXPECT_GT(reviewed.left_out, 3U);
  EXPECT_GT(reviewed.asked, reviewed.left_out);
  for (const Request& one : requests_after(8)) EXPECT_FALSE(one.url.starts_with("http://b.test/p")) << one.url;
  uint64_t lines = 0;
  const std::string log = read("/logs/crawl.log");
  for (const std::string_view line : split(log, '\n')) lines += line.contains(" -5000 ") ? 1 : 0;
  EXPECT_EQ(lines, reviewed.left_out);
  EXPECT_THAT(log, HasSubstr("scope:exclude"));
  EXPECT_THAT(read("/logs/progress-statistics.log"), HasSubstr("asked again, since the scope has changed"));
}

TEST_F(LiveSettingsTest, RulesThatLookForSeedsInAnotherWay) {
  crawl_.settings.scope.kind = scope::ScopeKind::page;
  crawl_.settings.scope.max_transitive_hops = 0;
  crawl_.settings.limits.run_while_empty = true;
  bool has_stopped = false;
  change_at(2, {.settings = {{"scope.kind", "host"}, {"scope.max-transitive-hops", "2"}}});
  const auto change = crawl_.on_pulse;
  crawl_.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    change(loop, running);
    if (!changed_at_ || has_stopped) return;
    if (running.status().documents < 8 && loop.clock().steady() - *changed_at_ < 10min) return;
    has_stopped = true;
    running.stop("enough");
  };
  (void)crawl_.live({});
  // Links of pages that were visited before are not judged again: those of the third seed are judged by the new rules.
  const auto is_no_seed = [](const Request& one) { return one.url.contains("/p") && !one.url.ends_with("/p0"); };
  EXPECT_EQ(std::ranges::count_if(requests_, is_no_seed), std::ranges::count_if(requests_after(), is_no_seed));
  EXPECT_GT(std::ranges::count_if(requests_, is_no_seed), 2) << "pages of the seed's host that are no seeds";
}

TEST_F(LiveSettingsTest, WhatIsRefusedChangesNothing) {
  std::vector<std::string> refusals;
  crawl_.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (!refusals.empty() || running.status().documents < 5) return;
    const auto refused = [&](const SettingsEdit& edit) {
      const auto changed = running.change_settings(edit);
      refusals.push_back(changed ? "accepted" : changed.error().message);
    };
    refused({.settings = {{"fetch.accept", "a"}, {"crawl.name", "X"}}});
    refused({.settings = {{"limits.max-documents", "5"}}, .sheet = "s", .sites = {"a.test"}});
    refused({.settings = {{"fetch.accept", "a"}}, .sheet = "nowhere"});
    refused({.settings = {{"scope.rules", "reject hop > 3"}}});
    refused({.settings = {{"scope.max-hops", "3"}, {"scope.rules", "accept all"}}});
    refused({.settings = {{"fetch.accept", "a"}, {"fetch.accept", "b"}}});
    refused({.settings = {{"frontier.order", "opic"}}});
    EXPECT_EQ(running.settings().fetch.accept, config::Settings().fetch.accept);
  };
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  ASSERT_EQ(refusals.size(), 7u);
  EXPECT_THAT(refusals[0], HasSubstr("crawl.name holds for the whole crawl"));
  EXPECT_THAT(refusals[1], HasSubstr("limits.max-documents cannot differ between sites"));
  EXPECT_THAT(refusals[2], HasSubstr("there is no sheet 'nowhere': name the sites"));
  EXPECT_THAT(refusals[3], HasSubstr("did you mean 'hops'?"));
  EXPECT_THAT(refusals[4], HasSubstr("scope.max-hops is set, but scope.rules does not ask for it"));
  EXPECT_THAT(refusals[5], HasSubstr("takes one value, not 2"));
  EXPECT_THAT(refusals[6], HasSubstr("frontier.order cannot change while the crawl runs"));
  crawl_.verify();
}

// The sheet that was made for a host is taken away: its delay counts no more, and the crawl's does.
TEST_F(LiveSettingsTest, ASheetThatIsTakenAwayCountsNoMore) {
  size_t step = 0;
  SteadyTime gone_at{};
  crawl_.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    loop_ = &loop;
    now_ = loop.clock().steady();
    const auto change = [&](const SettingsEdit& edit) {
      const auto plan = running.plan_settings(edit);
      ASSERT_TRUE(plan) << plan.error().message;
      const auto changed = running.change_settings(edit);
      ASSERT_TRUE(changed) << changed.error().message;
      EXPECT_EQ(changed->size(), plan->changes.size());
      ++step;
    };
    if (step == 0 && running.status().documents >= 4)
      change({.settings = {{"politeness.delay", "30s"}}, .sheet = "slow", .sites = {"a.test"}});
    else if (step == 1 && running.status().documents >= 8)
      change({.settings = {}, .sheet = "slow", .sites = {}, .unset = {}, .removes_sheet = true});
    else
      return;
    changed_at_ = now_;
    if (step == 2) gone_at = now_;
    if (step == 2) EXPECT_TRUE(running.settings().sheets.empty());
  };
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  ASSERT_EQ(step, 2u);
  crawl_.verify();
  // A pause that has begun ends as it was; the next ones are those of the crawl.
  std::vector<SteadyTime> late;
  for (const Request& one : requests_)
    if (host_of(one.url) == "a.test" && one.at > gone_at) late.push_back(one.at);
  ASSERT_GT(late.size(), 4u);
  for (size_t i = 2; i < late.size(); ++i) EXPECT_LT(late[i] - late[i - 1], 25s);
  EXPECT_THAT(read("/crawl.yaml"), ::testing::Not(HasSubstr("slow")));
}

// A sheet retires its hosts while the crawl runs: visits in flight end, and others begin when it is taken away.
TEST_F(LiveSettingsTest, ASheetRetiresItsHosts) {
  size_t step = 0, before = 0, meanwhile = 0;
  const auto of_a = [&] {
    return static_cast<size_t>(
        std::ranges::count_if(requests_, [](const Request& one) { return host_of(one.url) == "a.test"; }));
  };
  crawl_.on_pulse = [&](aio::SimLoop&, Operator& running) {
    const auto change = [&](const SettingsEdit& edit) {
      const auto changed = running.change_settings(edit);
      ASSERT_TRUE(changed) << changed.error().message;
      ++step;
    };
    if (step == 0 && running.status().documents >= 6) {
      before = of_a();
      change({.settings = {{"frontier.retire", "true"}}, .sheet = "closed", .sites = {"a.test"}});
    } else if (step == 1 && running.status().documents >= 16) {
      meanwhile = of_a() - before;
      const auto host = running.frontier().admin().explain_host("a.test");
      ASSERT_TRUE(host && !host->queues.empty());
      EXPECT_EQ(host->queues.front().state, frontier::QueueState::retired_by_setting);
      change({.settings = {}, .sheet = "closed", .sites = {}, .unset = {}, .removes_sheet = true});
    }
  };
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  ASSERT_EQ(step, 2u);
  EXPECT_LE(meanwhile, 1u);
  EXPECT_GT(of_a(), before + 4);
  crawl_.verify();
}

// A sheet that says what the crawl says overrules the one before it: hosts of both are visited again.
TEST_F(LiveSettingsTest, ALaterSheetTakesHostsUpAgain) {
  size_t step = 0, before = 0, meanwhile = 0;
  const auto of_a = [&] {
    return static_cast<size_t>(
        std::ranges::count_if(requests_, [](const Request& one) { return host_of(one.url) == "a.test"; }));
  };
  crawl_.on_pulse = [&](aio::SimLoop&, Operator& running) {
    const auto change = [&](const SettingsEdit& edit) {
      const auto changed = running.change_settings(edit);
      ASSERT_TRUE(changed) << changed.error().message;
      ++step;
    };
    if (step == 0 && running.status().documents >= 6) {
      before = of_a();
      change({.settings = {{"frontier.retire", "true"}}, .sheet = "closed", .sites = {"a.test"}});
    } else if (step == 1 && running.status().documents >= 16) {
      meanwhile = of_a() - before;
      change({.settings = {{"frontier.retire", "false"}}, .sheet = "open", .sites = {"a.test"}});
    }
  };
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  ASSERT_EQ(step, 2u);
  EXPECT_LE(meanwhile, 1u);
  EXPECT_GT(of_a(), before + 4);
  crawl_.verify();
}

// Through deaths: what was acknowledged and committed holds in the next process.
TEST_F(LiveSettingsTest, ChangesHoldAfterADeath) {
  bool committed = false;
  crawl_.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    now_ = loop.clock().steady();
    if (!changed_at_ && running.status().documents >= 10) {
      ASSERT_TRUE(running.change_settings({.settings = {{"fetch.accept", "text/x-changed"}}}));
      changed_at_ = now_;
    }
    committed = committed || (changed_at_ && now_ - *changed_at_ > 5s);
    if (committed && crawl_.lives() == 1) running.stop("to be resumed");
  };
  (void)crawl_.live({});
  ASSERT_TRUE(committed);
  requests_.clear();
  crawl_.on_pulse = nullptr;
  ASSERT_TRUE(crawl_.live({})) << crawl_.end().text;
  crawl_.verify();
  ASSERT_FALSE(requests_.empty());
  for (const Request& one : requests_) EXPECT_TRUE(one.head.contains("Accept: text/x-changed")) << one.url;
}

// Seven changes at drawn moments, through drawn deaths: nothing is lost, twice, or written that should not be.
TEST(LiveSettings, ChangesAndDeathsLoseNothing) {
  const std::vector<SettingsEdit> changes = {
      {.settings = {{"politeness.delay", "500ms"}}},
      {.settings = {{"politeness.delay", "50ms"}}, .sheet = "b", .sites = {"b.test"}},
      {.settings = {{"scope.rules", "shorthand"}, {"scope.rules", "reject url /nowhere/"}}},
      {.settings = {{"quota.host-successes", "1000"}, {"extract.max-links", "5000"}}},
      {.settings = {{"politeness.delay", "10ms"}, {"fetch.referer", "false"}}},
      {.settings = {}, .sheet = "b", .sites = {}, .unset = {"politeness.delay"}},
      {.settings = {}, .sheet = "", .sites = {}, .unset = {"quota.host-successes", "fetch"}},
  };
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    SeededRandom random(seed);
    size_t next = 0;
    crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
      if (next == changes.size() || running.status().documents < 6 * (next + 1)) return;
      const SettingsEdit& edit = changes[next++];
      // A death may have come before the sheet was committed.
      const bool is_lost = !edit.sheet.empty() && !edit.unset.empty() && running.settings().sheets.empty();
      if (is_lost) return;
      const auto changed = running.change_settings(edit);
      ASSERT_TRUE(changed) << changed.error().message;
    };
    for (int deaths = 0; deaths < 10; ++deaths)
      if (crawl.live({.events = 50 + random.below(SimCrawl::kEvents), .changes = std::nullopt})) break;
    while (!crawl.live({})) {
    }
    EXPECT_EQ(next, changes.size());
    crawl.verify();
  }
}

}  // namespace
}  // namespace caddis::crawl
