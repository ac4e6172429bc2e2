#include "caddis/frontier/order.h"

#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

Candidate candidate(const std::string& url, const std::string& hops = "L", const std::string& via = "http://a/") {
  Candidate made;
  made.url = url;
  made.hops = hops;
  made.via = via;
  return made;
}

TEST(Cost, FollowsThePolicy) {
  struct {
    const char* url;
    const char* via;
    uint32_t wag, anti_calendar;
  } const cases[] = {
      {"http://a/", "http://b/", 1, 1},
      {"http://a/x?q=1", "http://a/", 2, 1},
      {"http://a/x?q=2", "http://a/x?q=1", 3, 1},
      {"http://a/calendar/3", "http://a/", 1, 2},
      {"http://a/x?date=3", "http://a/", 2, 2},
      {"http://a/x?y=2019", "http://a/", 2, 2},
      {"http://a/x?y=20191", "http://a/", 2, 1},
      {"http://a/2019/x", "http://a/", 1, 2},
      {"http://a/cal/2026/1/7", "http://a/", 1, 2},
      {"http://a/p/1999", "http://a/", 1, 2},
      {"http://a/12026/1", "http://a/", 1, 1},
      {"http://a/2126/1", "http://a/", 1, 1},
      {"http://a/Days/3", "http://a/", 1, 2},
  };
  for (const auto& one : cases) {
    const Candidate url = candidate(one.url, "L", one.via);
    EXPECT_EQ(cost_of(CostPolicy::zero, url), 0u);
    EXPECT_EQ(cost_of(CostPolicy::unit, url), 1u);
    EXPECT_EQ(cost_of(CostPolicy::wag, url), one.wag) << one.url;
    EXPECT_EQ(cost_of(CostPolicy::anti_calendar, url), one.anti_calendar) << one.url;
  }
}

TEST(Order, EmbedsAndShallowPagesArePreferredAsFarAsToldTo) {
  OrderSettings settings;
  EXPECT_EQ(precedence_of(settings, candidate("http://a/", "LE")), Precedence::embed);
  EXPECT_EQ(precedence_of(settings, candidate("http://a/", "LEE")), Precedence::normal);
  settings.embed_preference = 2;
  EXPECT_EQ(precedence_of(settings, candidate("http://a/", "LEE")), Precedence::embed);
  settings.embed_preference = 0;
  EXPECT_EQ(precedence_of(settings, candidate("http://a/", "LE")), Precedence::normal);
  settings.depth_preference = 2;
  EXPECT_EQ(precedence_of(settings, candidate("http://a/", "LL")), Precedence::first);
  EXPECT_EQ(precedence_of(settings, candidate("http://a/", "LLL")), Precedence::normal);
}

TEST(Order, LevelsStayWithinTheirPrecedence) {
  OrderSettings settings;
  settings.order = UrlOrder::hops;
  const Candidate far = candidate("http://a/", std::string(500, 'L'));
  EXPECT_EQ(class_by_order(settings, far, Precedence::first), 63);
  EXPECT_EQ(class_by_order(settings, far, Precedence::normal), 191);
  EXPECT_EQ(precedence_of(class_by_order(settings, far, Precedence::embed)), Precedence::embed);
  settings.order = UrlOrder::deep;
  EXPECT_EQ(class_by_order(settings, far, Precedence::normal), 128);
}

class OrderTest : public FrontierTest {
 protected:
  // The pages in the order in which they were visited.
  std::string visited() {
    std::string paths;
    for (const std::string& url : run_dry())
      if (url.find("/robots.txt") == std::string::npos && !url.starts_with("dns:")) paths += url.back();
    return paths;
  }
  void add_pages() {
    add({scheduled("http://a.example/3", "LLL", "http://a.example/"),
         scheduled("http://a.example/1", "L", "http://a.example/"),
         scheduled("http://a.example/2", "LL", "http://a.example/"),
         scheduled("http://a.example/x?4", "LE", "http://a.example/")});
  }
};

TEST_F(OrderTest, AsFoundWithEmbedsBefore) {
  add_pages();
  EXPECT_EQ(visited(), "4312");
}

TEST_F(OrderTest, FewestHopsFirst) {
  options_.order.order = UrlOrder::hops;
  reopen();
  add_pages();
  EXPECT_EQ(visited(), "4123");
}

TEST_F(OrderTest, MostHopsFirst) {
  options_.order.order = UrlOrder::deep;
  reopen();
  add_pages();
  EXPECT_EQ(visited(), "4321");
}

TEST_F(OrderTest, LinesSurviveAStart) {
  options_.order.order = UrlOrder::hops;
  reopen();
  add_pages();
  settle(*next_whenever());
  commit();
  reopen();
  EXPECT_EQ(visited(), "4123");
}

TEST_F(OrderTest, OfQueuesThatAreDueThoseLeastVisitedComeFirst) {
  options_.order.queues = QueueOrderPolicy::successes;
  options_.politeness.delay = Duration(0);
  options_.resolve_names = options_.obey_robots = false;
  reopen();
  std::vector<ScheduledUrl> many;
  for (int i = 0; i < 100; ++i) many.push_back(scheduled("http://big.example/" + std::to_string(i), "L"));
  add(many);
  for (int i = 0; i < 100; ++i) settle(*next_whenever());
  add({scheduled("http://big.example/next", "L")});
  add({scheduled("http://new.example/", "L")});
  clock_.advance(10ms);
  EXPECT_EQ(next()->candidate.url, "http://new.example/");
  EXPECT_EQ(next()->candidate.url, "http://big.example/next");
  EXPECT_FALSE(next());
}

}  // namespace
}  // namespace caddis::frontier
