// Importance against PageRank worked out on the whole graph, and what bounded memory makes of it.
#include "caddis/frontier/importance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "caddis/base/random.h"
#include "caddis/frontier/frontier_fixture.h"
#include "caddis/frontier/order.h"

namespace caddis::frontier {
namespace {

TEST(CashTable, KeepsWhatItIsGiven) {
  CashTable table(1 << 16);
  SeededRandom random(1);
  std::vector<uint64_t> keys(table.entries() / 4);
  for (uint64_t& key : keys) key = random.next();
  for (int round = 0; round < 3; ++round)
    for (const uint64_t key : keys) table.add(key, 0.5);
  size_t exact = 0;
  for (const uint64_t key : keys) {
    EXPECT_LE(table.of(key), 1.5);
    if (table.of(key) == 1.5) ++exact;
  }
  EXPECT_GT(exact, keys.size() * 99 / 100);
  EXPECT_EQ(table.take(keys[0]), 1.5);
  EXPECT_EQ(table.of(keys[0]), 0);
  EXPECT_EQ(table.take(keys[0]), 0);
  table.add(keys[0], -1);
  EXPECT_EQ(table.of(keys[0]), 0);
}

TEST(CashTable, WhenFullThoseWithMuchLackNoMoreThanTheirShareOfAll) {
  CashTable table(1 << 12);
  SeededRandom random(2);
  std::vector<uint64_t> rich(table.entries() / 8);
  for (uint64_t& key : rich) key = random.next();
  double all = 0;
  const size_t poor = table.entries() * 40;
  for (size_t i = 0; i < poor; ++i) {
    table.add(random.next(), 1);
    ++all;
    if (i % 4 != 0) continue;
    table.add(rich[i / 4 % rich.size()], 20);
    all += 20;
  }
  const double given = static_cast<double>(poor / 4) / static_cast<double>(rich.size()) * 20;
  const double lacks = all / (static_cast<double>(table.entries()) * 9 / 8);
  double sum = 0;
  for (const uint64_t key : rich) {
    EXPECT_LE(table.of(key), given + 40);
    sum += table.of(key);
  }
  EXPECT_GE(sum / static_cast<double>(rich.size()), given - lacks * 1.2 - 20);
}

TEST(Importance, LevelsArePowersOfTwo) {
  EXPECT_EQ(level_of_cash(0), kLevels - 2);
  EXPECT_EQ(level_of_cash(1e-300), kLevels - 2);
  EXPECT_EQ(level_of_cash(1e300), 0u);
  for (unsigned level = 1; level < kLevels - 2; ++level) {
    EXPECT_EQ(level_of_cash(cash_of_level(level)), level);
    EXPECT_EQ(level_of_cash(cash_of_level(level) * 1.99), level);
  }
  EXPECT_EQ(cash_of_level(kLevels - 2), 0);
}

// A web in which page n is linked to about as often as 1 / (n + 1).
struct Graph {
  explicit Graph(size_t pages) : links(pages) {
    SeededRandom random(7);
    for (size_t page = 0; page < pages; ++page) {
      for (size_t i = 1 + random.next() % 20; i > 0; --i) {
        const double at = static_cast<double>(random.next() >> 11) / 9007199254740992.0;
        const auto to = static_cast<size_t>(std::pow(static_cast<double>(pages), at)) - 1;
        if (to != page) links[page].push_back(key(to));
      }
      std::ranges::sort(links[page]);
      links[page].erase(std::ranges::unique(links[page]).begin(), links[page].end());
    }
  }
  static uint64_t key(size_t page) { return (page + 1) * 0x9e3779b97f4a7c15 | 1; }

  std::vector<double> ranks() const {
    std::unordered_map<uint64_t, size_t> number;
    for (size_t page = 0; page < links.size(); ++page) number[key(page)] = page;
    std::vector<double> ranks(links.size(), 1);
    for (int round = 0; round < 50; ++round) {
      std::vector<double> next(links.size(), 1);
      for (size_t page = 0; page < links.size(); ++page)
        for (const uint64_t to : links[page])
          next[number[to]] += 0.85 * ranks[page] / static_cast<double>(links[page].size());
      ranks = std::move(next);
    }
    return ranks;
  }

  std::vector<std::vector<uint64_t>> links;
};

// Half of the pages are visited in any order: then the cash of the others goes with their PageRank.
double correlation(uint64_t memory) {
  const Graph graph(2000);
  const std::vector<double> ranks = graph.ranks();
  Importance importance(memory);
  // Every other page, so that both halves hold pages of all kinds.
  for (size_t page = 0; page < graph.links.size(); page += 2)
    importance.visited(Graph::key(page), graph.links[page], 0);
  const Importance::Memory used = importance.memory();
  EXPECT_LE(used.table + used.links, memory + 64);
  std::vector<size_t> by_cash, by_rank;
  for (size_t page = 1; page < graph.links.size(); page += 2) by_rank.push_back(page);
  by_cash = by_rank;
  std::ranges::sort(by_rank, std::greater<>(), [&](size_t page) { return ranks[page]; });
  std::ranges::sort(by_cash, std::greater<>(), [&](size_t page) { return importance.of(Graph::key(page)); });
  double found = 0, best = 0;
  for (size_t i = 0; i < 100; ++i) {
    found += ranks[by_cash[i]];
    best += ranks[by_rank[i]];
  }
  return found / best;
}

TEST(Importance, GoesWithPageRank) { EXPECT_GT(correlation(1 << 20), 0.93); }

TEST(Importance, WithLittleMemoryTheMostImportantAreStillKnown) { EXPECT_GT(correlation(12'000), 0.85); }

TEST(Importance, WhatVisitedPagesAreGivenIsPassedOn) {
  Importance importance(1 << 20);
  const uint64_t home = 1, waiting = 3;
  const uint64_t of_home[] = {waiting}, to_home[] = {home};
  importance.visited(home, of_home, 0);
  const double before = importance.of(waiting);
  EXPECT_NEAR(before, 0.85, 1e-6);
  for (uint64_t page = 5; page < 25; page += 2) importance.visited(page, to_home, 0);
  EXPECT_NEAR(importance.of(waiting), before + 10 * 0.85 * 0.85, 1);
}

TEST(Importance, WhatTheLineSaysCountsAfterARestart) {
  Importance importance(1 << 20);
  const uint64_t links[] = {3};
  importance.visited(1, links, 7);
  EXPECT_NEAR(importance.of(3), 0.85 * 8, 1e-5);
}

class OpicTest : public FrontierTest {
 protected:
  OpicTest() {
    options_.order.order = UrlOrder::opic;
    options_.politeness.delay = Duration(0);
    options_.obey_robots = options_.resolve_names = false;
    reopen();
  }
  // Visits the next URL, whose page links to these.
  std::string visit(const std::vector<std::string>& urls) {
    const auto lease = next_whenever();
    if (!lease) return "";
    EXPECT_TRUE(lease->wants_links);
    Disposition done;
    done.lease = *lease;
    done.status = 200;
    std::vector<ScheduledUrl> links;
    for (const std::string& url : urls) {
      done.links.push_back(options_.identity.url_hash(url));
      links.push_back(scheduled(url, "L", lease->candidate.url));
    }
    frontier_->finish(done);
    add(std::move(links));
    commit();
    return lease->candidate.url;
  }
};

TEST_F(OpicTest, WhoIsLinkedToOftenComesFirst) {
  add({scheduled("http://a/")});
  EXPECT_EQ(visit({"http://a/1", "http://a/2", "http://a/3", "http://a/4", "http://a/5", "http://a/6"}), "http://a/");
  EXPECT_EQ(visit({"http://a/6"}), "http://a/1");
  EXPECT_EQ(visit({}), "http://a/6");
  EXPECT_EQ(visit({"http://a/5", "http://a/4", "http://a/3"}), "http://a/2");
}

TEST_F(OpicTest, AURLThatRoseIsVisitedOnceAlsoAfterARestart) {
  add({scheduled("http://a/")});
  SeededRandom random(3);
  std::vector<std::string> urls, visited;
  for (int i = 0; i < 300; ++i) urls.push_back("http://a/" + std::to_string(i));
  for (int round = 0;; ++round) {
    std::vector<std::string> links;
    for (int i = 0; i < 12; ++i) links.push_back(urls[random.next() % (1 + random.next() % urls.size())]);
    std::ranges::sort(links);
    links.erase(std::ranges::unique(links).begin(), links.end());
    const std::string url = visit(links);
    if (url.empty()) break;
    visited.push_back(url);
    if (round % 40 == 39) reopen();
  }
  std::ranges::sort(visited);
  EXPECT_EQ(std::ranges::adjacent_find(visited), visited.end());
  EXPECT_EQ(visited.size(), seen_.size());
  EXPECT_EQ(frontier_->stats().queued, 0u);
  EXPECT_TRUE(frontier_->is_empty());
}

TEST_F(OpicTest, AmongQueuesTheMostImportantComesFirst) {
  options_.order.queues = QueueOrderPolicy::highest_url;
  reopen();
  add({scheduled("http://a/")});
  EXPECT_EQ(visit({"http://b/", "http://c/", "http://d/", "http://a/1"}), "http://a/");
  EXPECT_EQ(visit({"http://d/"}), "http://b/");
  EXPECT_EQ(visit({}), "http://d/");
}

TEST_F(OpicTest, DeletingFindsThoseThatRose) {
  add({scheduled("http://a/")});
  visit({"http://a/1", "http://a/2", "http://a/3", "http://a/4", "http://a/5", "http://a/6"});
  visit({"http://a/6", "http://a/5"});
  WaitingQuery query;
  query.host = "a";
  EXPECT_EQ(frontier_->admin().erase(query)->urls, 5u);
  EXPECT_EQ(frontier_->stats().queued, 0u);
  EXPECT_FALSE(next_whenever());
}

}  // namespace
}  // namespace caddis::frontier
