#include "caddis/feeds/feed_site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::feeds {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

constexpr WallTime kBegin = WallTime(1'700'000'000s);
const std::string kOne = "http://a.test/one", kTwo = "http://a.test/two";

SiteRules rules() {
  return {.min_wait = 10min,
          .max_wait = 2h,
          .max_back_off = 1h,
          .longest_round = 3h,
          .updated_items = true,
          .adaptive = false};
}

SitePlan plan() {
  return {.name = "a",
          .wait = std::nullopt,
          .active = true,
          .feeds = {{kOne, {"http://a.test/"}}, {kTwo, {"http://a.test/", "http://a.test/2"}}}};
}

FeedItem item(std::string name, std::optional<Duration> at = {}, std::string id = "") {
  FeedItem made;
  made.link = "http://a.test/" + name;
  made.id = std::move(id);
  if (at) made.published = std::chrono::time_point_cast<WallTime::duration>(kBegin + *at);
  return made;
}

Feed feed_of(std::vector<FeedItem> items) {
  Feed feed;
  feed.items = std::move(items);
  return feed;
}

// The new ones, with "+" for what is an implied page and "?" for what is not forced.
std::vector<std::string> read(FeedSite& site, const std::string& url, std::vector<FeedItem> items,
                              WallTime now = kBegin + 1h, SiteRules by = rules()) {
  std::vector<std::string> out;
  for (const NewLink& link : site.feed_read(url, feed_of(std::move(items)), {}, now, by))
    out.push_back((link.is_implied ? "+" : link.is_forced ? "" : "?") + link.url.substr(14));
  return out;
}

TEST(FeedSite, PollsWhenAllOfTheLastRoundIsDoneAndTheWaitIsOver) {
  FeedSite site(plan());
  EXPECT_EQ(site.next_round(rules()), WallTime());
  EXPECT_THAT(site.begin_round(kBegin), ElementsAre(kOne, kTwo));
  site.add_in_progress(1, 2, false);
  EXPECT_EQ(site.next_round(rules()), std::nullopt);
  EXPECT_FALSE(site.finish_round(kBegin + 1s, rules()));
  site.feed_unchanged(kOne, kBegin + 1s);
  site.answered(1, true);
  read(site, kTwo, {item("x", 1min)});
  site.add_in_progress(1, 3, false);
  site.answered(1, true);
  EXPECT_FALSE(site.finish_round(kBegin + 20min, rules()));
  for (int i = 0; i < 3; ++i) site.answered(1, true);
  EXPECT_TRUE(site.finish_round(kBegin + 20min, rules()));
  EXPECT_EQ(site.facts().status, SiteStatus::waiting);
  EXPECT_EQ(site.next_round(rules()), kBegin + 10min);
  // Answers of a round that is over do not count for the next one.
  site.begin_round(kBegin + 20min);
  site.add_in_progress(2, 1, false);
  site.answered(1, true);
  EXPECT_FALSE(site.finish_round(kBegin + 21min, rules()));
}

TEST(FeedSite, IsPolledAgainThoughARoundHangs) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  site.add_in_progress(1, 2, false);
  site.feed_unchanged(kTwo, kBegin);
  EXPECT_FALSE(site.finish_round(kBegin + 179min, rules()));
  EXPECT_THAT(site.finish_round(kBegin + 180min, rules()), Optional(ElementsAre(kOne)));
  EXPECT_EQ(site.facts().cut_rounds, 1u);
  EXPECT_EQ(site.facts().in_progress, 0u);
  EXPECT_EQ(site.feed(kOne)->trouble, "no answer came in time");
}

TEST(FeedSite, TakesItemsThatAreNewerThanTheNewest) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  EXPECT_THAT(read(site, kOne, {item("b", 2min), item("a", 1min)}), ElementsAre("+", "b", "a"));
  EXPECT_THAT(read(site, kOne, {item("b", 2min), item("a", 1min)}), IsEmpty());
  EXPECT_THAT(read(site, kOne, {item("c", 3min), item("b", 2min)}), ElementsAre("c"));
  // One that comes late is captured unless it was seen.
  EXPECT_THAT(read(site, kOne, {item("late", 90s), item("c", 3min)}), ElementsAre("?late"));
  // It has left the feed, and is back.
  EXPECT_THAT(read(site, kOne, {item("a", 1min)}), IsEmpty());
  EXPECT_EQ(site.feed(kOne)->found, 4u);
}

TEST(FeedSite, TakesUpdatedItemsAgain) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  read(site, kOne, {item("b", 2min, "B"), item("a", 1min, "A")});
  EXPECT_THAT(read(site, kOne, {item("b", 2min, "B"), item("a", 5min, "A")}), ElementsAre("a"));
  EXPECT_THAT(read(site, kOne, {item("b", 2min, "B"), item("a", 5min, "A")}), IsEmpty());
  SiteRules strict = rules();
  strict.updated_items = false;
  EXPECT_THAT(read(site, kOne, {item("b", 9min, "B"), item("a", 5min, "A")}, kBegin + 1h, strict), IsEmpty());
}

TEST(FeedSite, TakesUpdatesOfWhatAFeedWithoutDatesHasToo) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  EXPECT_THAT(read(site, kOne, {item("a", 1min)}), ElementsAre("+", "a"));
  EXPECT_THAT(read(site, kTwo, {item("a")}), IsEmpty());
  site.finish_round(kBegin + 1h, rules());
  site.begin_round(kBegin + 1h);
  EXPECT_THAT(read(site, kOne, {item("a", 9min)}), ElementsAre("+", "a"));
  EXPECT_THAT(read(site, kTwo, {item("a")}), IsEmpty());
}

TEST(FeedSite, KnowsUndatedItemsByTheirIdentity) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  EXPECT_THAT(read(site, kOne, {item("a"), item("b", {}, "B")}), ElementsAre("+", "a", "b"));
  EXPECT_THAT(read(site, kOne, {item("c"), item("a"), item("b", {}, "B")}), ElementsAre("c"));
  // The same page under another name is no other item; another page under the same name is.
  EXPECT_THAT(read(site, kOne, {item("b", {}, "B2")}), IsEmpty());
  EXPECT_THAT(read(site, kOne, {item("moved", {}, "B2")}), ElementsAre("?moved"));
}

TEST(FeedSite, DoesNotBelieveDatesOfTheFetch) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  const auto at = [](Duration when, std::vector<std::string> names) {
    std::vector<FeedItem> items;
    for (const std::string& name : names) items.push_back(item(name, when));
    return items;
  };
  EXPECT_EQ(read(site, kOne, at(1min, {"a", "b", "c"})).size(), 4u);
  EXPECT_THAT(read(site, kOne, at(2min, {"a", "b", "c"})), IsEmpty());
  EXPECT_THAT(read(site, kOne, at(3min, {"d", "a", "b", "c"})), ElementsAre("d"));
}

TEST(FeedSite, IsNotHeldUpByADateInTheFuture) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  EXPECT_THAT(read(site, kOne, {item("f", 24h), item("a", 1min)}), ElementsAre("+", "f", "a"));
  EXPECT_THAT(read(site, kOne, {item("b", 61min), item("f", 24h)}, kBegin + 62min), ElementsAre("b"));
}

TEST(FeedSite, GoesOnWhereAnotherCrawlStopped) {
  FeedSite site(plan());
  EXPECT_TRUE(
      site.adopt(kOne, std::chrono::duration_cast<std::chrono::seconds>((kBegin + 1min).time_since_epoch()).count()));
  site.begin_round(kBegin);
  EXPECT_FALSE(site.adopt(kOne, 1));
  EXPECT_THAT(read(site, kOne, {item("b", 2min), item("a", 1min), item("0", 10s)}), ElementsAre("+", "b"));
  EXPECT_THAT(read(site, kOne, {item("b", 2min), item("a", 1min), item("0", 10s)}), IsEmpty());
}

TEST(FeedSite, TakesAPageOfSeveralItemsOnceAPoll) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  EXPECT_THAT(read(site, kOne, {item("live#post-1", 2min, "1"), item("live#post-0", 1min, "0"), item("x", 1min, "x")}),
              ElementsAre("+", "live#post-1", "x"));
  EXPECT_EQ(site.facts().found, 2u);
  site.finish_round(kBegin + 1h, rules());
  site.begin_round(kBegin + 1h);
  EXPECT_THAT(read(site, kOne, {item("live#post-2", 3min, "2"), item("live#post-1", 2min, "1")}),
              ElementsAre("+", "live#post-2"));
}

TEST(FeedSite, TakesAnItemOfTwoFeedsOnce) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  EXPECT_THAT(read(site, kOne, {item("a", 1min, "1")}), ElementsAre("+", "a"));
  // Another feed's identity for the same page; the implied page was captured in this round.
  EXPECT_THAT(read(site, kTwo, {item("b", 2min), item("a", 1min, "2")}), ElementsAre("+2", "b"));
  EXPECT_THAT(read(site, kTwo, {item("b", 2min), item("b", 2min, "b"), item("a", 9min, "2")}), ElementsAre("a"));
  site.finish_round(kBegin + 1h, rules());
  site.begin_round(kBegin + 1h);
  EXPECT_THAT(read(site, kOne, {item("a", 9min, "1"), item("c", 10min)}), ElementsAre("+", "c"));
}

TEST(FeedSite, BacksOffFromFeedsThatFail) {
  FeedSite site(plan());
  WallTime now = kBegin;
  std::vector<int> polled;
  for (int round = 1; round <= 14; ++round) {
    const auto due = site.next_round(rules());
    ASSERT_TRUE(due);
    now = std::max(now, *due);
    const auto feeds = site.begin_round(now);
    site.add_in_progress(round, feeds.size(), false);
    for (const std::string& url : feeds) {
      if (url == kOne) {
        polled.push_back(round);
        site.feed_failed(url, "404", now, rules());
      } else {
        site.feed_unchanged(url, now);
      }
      site.answered(round, url != kOne);
    }
    ASSERT_TRUE(site.finish_round(now, rules()));
  }
  // After 10, 20, 40 and then every 60 minutes.
  EXPECT_THAT(polled, ElementsAre(1, 2, 4, 8, 14));
  EXPECT_EQ(site.feed(kOne)->failures_in_row, 5u);
  EXPECT_THAT(site.begin_round(now), ElementsAre(kTwo));
  EXPECT_THAT(site.begin_round(now, true), ElementsAre(kOne, kTwo));
  site.feed_unchanged(kOne, now);
  EXPECT_EQ(site.feed(kOne)->trouble, "");
}

TEST(FeedSite, AdaptsIfItIsToldTo) {
  SiteRules adaptive = rules();
  adaptive.adaptive = true;
  FeedSite site(plan());
  const auto round = [&](WallTime now, bool has_news) {
    site.begin_round(now);
    if (has_news) read(site, kOne, {item(std::to_string(now.time_since_epoch().count()))}, now);
    EXPECT_TRUE(site.finish_round(now, adaptive));
    return Duration(*site.next_round(adaptive) - now);
  };
  EXPECT_EQ(round(kBegin, true), 10min);
  EXPECT_EQ(round(kBegin + 1h, false), 15min);
  EXPECT_EQ(round(kBegin + 2h, false), 22min + 30s);
  for (int i = 3; i < 20; ++i) round(kBegin + i * 1h, false);
  EXPECT_EQ(round(kBegin + 30h, false), 2h);
  EXPECT_EQ(round(kBegin + 40h, true), 1h);
}

TEST(FeedSite, TakesAnotherPlanBetweenRounds) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  site.add_in_progress(1, 1, false);
  SitePlan other = plan();
  other.feeds.pop_back();
  other.wait = 1h;
  EXPECT_TRUE(site.replace_plan(other));
  EXPECT_FALSE(site.replace_plan(other));
  EXPECT_EQ(site.facts().status, SiteStatus::updating);
  EXPECT_EQ(site.plan().feeds.size(), 2u);
  site.answered(1, true);
  EXPECT_TRUE(site.finish_round(kBegin + 1s, rules()));
  EXPECT_EQ(site.plan().feeds.size(), 1u);
  EXPECT_EQ(site.next_round(rules()), kBegin + 1h);
  site.end();
  EXPECT_EQ(site.next_round(rules()), std::nullopt);
  EXPECT_TRUE(site.replace_plan(other));
  EXPECT_EQ(site.facts().status, SiteStatus::waiting);
  other.active = false;
  site.replace_plan(other);
  EXPECT_EQ(site.next_round(rules()), std::nullopt);
}

TEST(FeedSite, ForgetsAPlanThatWaitedWhenItEnded) {
  FeedSite site(plan());
  site.begin_round(kBegin);
  site.add_in_progress(1, 1, false);
  SitePlan waited = plan(), latest = plan();
  waited.wait = 1h;
  latest.wait = 2h;
  EXPECT_TRUE(site.replace_plan(waited));
  site.end();
  EXPECT_EQ(site.latest_plan(), plan());
  EXPECT_TRUE(site.replace_plan(latest));
  EXPECT_EQ(site.latest_plan(), latest);
  site.answered(1, true);
  EXPECT_TRUE(site.finish_round(kBegin + 1s, rules()));
  EXPECT_EQ(site.plan(), latest);
}

// Each of them among as many that are known here and elsewhere; with a search for each it takes minutes.
TEST(FeedSite, ReadsLongFeeds) {
  constexpr int kItems = 50'000;
  FeedSite site(plan());
  site.begin_round(kBegin);
  const auto items = [](int from) {
    std::vector<FeedItem> made;
    for (int i = from; i < from + kItems; ++i) made.push_back(item(std::to_string(i), std::chrono::seconds(i)));
    return made;
  };
  EXPECT_EQ(read(site, kOne, items(0)).size(), kItems + 1u);
  EXPECT_EQ(read(site, kTwo, items(0)), std::vector<std::string>());
  EXPECT_EQ(read(site, kOne, items(1)).size(), 1u);
  // All that it has not had, without the one that the other feed has, and with an implied page.
  EXPECT_EQ(read(site, kTwo, items(kItems / 2)).size(), size_t{kItems / 2});
}

TEST(FeedSite, WaitsFromNowIfTheClockIsSetBack) {
  FeedSite site(plan());
  for (const std::string& url : site.begin_round(kBegin)) site.feed_unchanged(url, kBegin);
  EXPECT_TRUE(site.finish_round(kBegin, rules()));
  EXPECT_FALSE(site.note_clock(kBegin, rules()));
  EXPECT_TRUE(site.note_clock(kBegin - 24h, rules()));
  EXPECT_EQ(site.next_round(rules()), kBegin - 24h + 10min);
}

TEST(FeedState, RemembersABoundedNumber) {
  FeedState state;
  for (uint64_t round = 0; round < 30; ++round) {
    std::vector<KnownItem> latest;
    for (uint64_t i = 0; i < 100; ++i) latest.push_back({round * 100 + i, 0, 0});
    remember(state, std::move(latest));
  }
  EXPECT_EQ(state.items.size(), 100 + FeedState::kMostOthers);
  const ItemIndex known = by_identity(state.items);
  EXPECT_NE(find(known, 2900), nullptr);
  EXPECT_NE(find(known, 2000), nullptr);
  EXPECT_EQ(find(known, 0), nullptr);
}

}  // namespace
}  // namespace caddis::feeds
