// The ranks against the solution of their equations, over links between URLs as the oracle and the world tell them.
#include "simweb/judge/page_rank.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "simweb/oracle/oracle.h"

namespace simweb {
namespace {

WebSettings small_web() {
  WebSettings s = *profile("test");
  s.hosts = 30;
  s.pages = 300;
  s.mean_links = 10;
  s.redirect_chain = s.redirect_loop = s.redirect_host = 0.03;
  s.duplicate = 0.2;
  return s;
}

// Pages by URL, with all that they link to.
struct Web {
  explicit Web(const World& world) : world(world) {
    for_each_page([&](const HostFacts& host, const PageRef& page) {
      const size_t number = numbers.size();
      numbers[world.url(host, page)] = number;
    });
    links.resize(numbers.size());
    for_each_page([&](const HostFacts& host, const PageRef& page) {
      std::set<size_t>& found = links[numbers[world.url(host, page)]];
      for (const Link& link : world.links(host, page)) add(found, link);
      found.erase(numbers[world.url(host, page)]);
    });
  }

  void for_each_page(auto&& sink) const {
    for (HostId id = 0; id < world.hosts(); ++id) {
      const HostFacts host = world.host(id);
      if (!host.open()) continue;
      for_each_expected(world, host, [&](const PageRef& page, const Expectation& expected) {
        if (expected.verdict == Verdict::must && is_numbered(page.kind)) sink(host, page);
      });
    }
  }

  void add(std::set<size_t>& found, const Link& link) const {
    const HostFacts host = world.host(link.host);
    if (link.page.kind == Kind::chain_step || link.page.kind == Kind::loop_step) {
      for (const Link& next : world.links(host, link.page)) add(found, next);
    } else if (const auto at = numbers.find(world.url(host, link.page)); at != numbers.end()) {
      found.insert(at->second);
    }
  }

  // x = 0.15 / n + 0.85 M x, by elimination; a page without links links to all.
  std::vector<double> solve() const {
    const size_t n = links.size();
    std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1));
    for (size_t from = 0; from < n; ++from) {
      const double given = 0.85 / static_cast<double>(links[from].empty() ? n : links[from].size());
      for (size_t to = 0; to < n; ++to)
        rows[to][from] = (from == to ? 1 : 0) - (links[from].empty() || links[from].contains(to) ? given : 0);
    }
    for (auto& row : rows) row[n] = 0.15 / static_cast<double>(n);
    for (size_t pivot = 0; pivot < n; ++pivot)
      for (size_t at = 0; at < n; ++at) {
        if (at == pivot || rows[at][pivot] == 0) continue;
        const double factor = rows[at][pivot] / rows[pivot][pivot];
        for (size_t column = pivot; column <= n; ++column) rows[at][column] -= factor * rows[pivot][column];
      }
    std::vector<double> ranks(n);
    for (size_t i = 0; i < n; ++i) ranks[i] = rows[i][n] / rows[i][i];
    return ranks;
  }

  const World& world;
  std::map<std::string, size_t> numbers;
  std::vector<std::set<size_t>> links;
};

TEST(PageRank, SolvesItsEquations) {
  const World world(small_web());
  const auto rank = PageRank::create(world);
  ASSERT_TRUE(rank);
  const Web web(world);
  const std::vector<double> expected = web.solve();
  double sum = 0;
  std::set<Kind> kinds;
  web.for_each_page([&](const HostFacts& host, const PageRef& page) {
    const double found = rank->of(host.id, page);
    EXPECT_NEAR(found, expected[web.numbers.at(world.url(host, page))], 1e-8) << world.url(host, page);
    sum += found;
    kinds.insert(page.kind);
  });
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_GT(web.links.size(), 150U);
  for (const Kind kind : {Kind::redirect_chain, Kind::redirect_loop, Kind::redirect_host, Kind::image, Kind::not_found})
    EXPECT_TRUE(kinds.contains(kind)) << to_string(kind);
}

TEST(PageRank, LeavesOutWhatNeedNotBeCaptured) {
  const World world(small_web());
  const auto rank = PageRank::create(world);
  ASSERT_TRUE(rank);
  double sum = 0;
  int hidden = 0;
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    for (uint64_t number = 0; number < host.pages; ++number) {
      const PageRef page = world.page(host, number);
      const double mass = rank->of(id, page);
      sum += mass;
      const bool out = !host.open() || !World::allowed(host, page);
      EXPECT_EQ(mass == 0, out) << world.url(host, page);
      hidden += out;
    }
    EXPECT_EQ(rank->of(id, {Kind::robots}), 0);
    EXPECT_EQ(rank->of(id, {Kind::html, host.pages}), 0);
  }
  EXPECT_GT(hidden, 2);
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(rank->of(world.hosts(), {Kind::html, 0}), 0);
}

TEST(PageRank, IsNotWorkedOutForLargeWebs) {
  const World world(small_web());
  EXPECT_FALSE(PageRank::create(world, {.pages = 100}));
  EXPECT_FALSE(PageRank::create(world, {.links = 100}));
  EXPECT_FALSE(PageRank::create(World(*profile("hosts-1m"))));
}

}  // namespace
}  // namespace simweb
