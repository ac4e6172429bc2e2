// A frontier and a policy in Lua decide over what waits: in which order it is leased, and that none is lost.
#include "caddis/frontier/held_urls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "caddis/frontier/frontier_fixture.h"
#include "caddis/modules/registry.h"
#include "support/testdata.h"

namespace caddis::frontier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kLastFirst = R"(
local ids = {}
function add_url(id, link)
  if link.path == "/bad" then error("no") end
  ids[#ids + 1] = id
end
function next_url() return table.remove(ids) end
)";

class HeldUrlsTest : public FrontierTest {
 protected:
  HeldUrlsTest() {
    options_.obey_robots = false;
    options_.resolve_names = false;
    options_.order.ahead = 1;
  }
  // The registry keeps a module as long as the process: each test has names of its own.
  std::string load(const std::string& name, std::string_view script) {
    const std::string path = folder_ / (name + ".lua");
    std::ofstream(path) << script;
    const std::vector<std::string> paths = {path};
    const auto loaded = modules::load_modules(paths, {});
    EXPECT_TRUE(loaded) << loaded.error().message;
    return name;
  }
  void open_with_frontier(const std::string& name) {
    options_.sources.module = *modules::FrontierModule::create(name, {});
    reopen();
  }
  void add_pages(const std::vector<std::string>& urls) {
    std::vector<ScheduledUrl> all;
    for (const std::string& url : urls) all.push_back(scheduled(url, "L", "http://a.example/"));
    add(std::move(all));
  }
  static std::string told(const std::string& name) {
    std::string text;
    for (const std::string& line : modules::find_module(name)->errors().take()) text += line + "\n";
    return text;
  }

  testing::TempDir folder_;
};

TEST_F(HeldUrlsTest, AModuleDecidesOverTheOrderOfAllHosts) {
  open_with_frontier(load("last-first", kLastFirst));
  add_pages({"http://a.example/1", "http://b.example/2", "http://a.example/3"});
  EXPECT_EQ(frontier_->stats().queued, 3U);
  EXPECT_EQ(frontier_->stats().held, 3U);
  EXPECT_FALSE(frontier_->is_empty());
  EXPECT_THAT(run_dry(), ElementsAre("http://a.example/3", "http://b.example/2", "http://a.example/1"));
  EXPECT_TRUE(frontier_->is_empty());
  add_pages({"http://a.example/3"});
  EXPECT_TRUE(frontier_->is_empty());
}

TEST_F(HeldUrlsTest, WhatAModuleHoldsOutlivesADeath) {
  open_with_frontier(load("dies", kLastFirst));
  add_pages({"http://a.example/1", "http://b.example/2"});
  commit();
  add_pages({"http://c.example/3"});
  open_with_frontier("dies");
  EXPECT_EQ(frontier_->stats().held, 2U);
  ASSERT_TRUE(next_whenever());
  commit();
  open_with_frontier("dies");
  EXPECT_THAT(run_dry(), ElementsAre("http://b.example/2", "http://a.example/1"));
  commit();
  reopen();
  EXPECT_TRUE(frontier_->is_empty());
}

TEST_F(HeldUrlsTest, WithoutItsModuleItIsVisitedAsItWasFound) {
  open_with_frontier(load("goes", kLastFirst));
  add_pages({"http://b.example/1", "http://a.example/2", "http://c.example/3"});
  commit();
  options_.sources.module = nullptr;
  reopen();
  EXPECT_THAT(run_dry(), ElementsAre("http://b.example/1", "http://a.example/2", "http://c.example/3"));
}

TEST_F(HeldUrlsTest, AnOperatorSeesAndDeletesThem) {
  open_with_frontier(load("watched", kLastFirst));
  add_pages({"http://a.example/1", "http://b.example/2", "http://a.example/3"});
  const auto page = frontier_->admin().waiting({});
  ASSERT_EQ(page->matched, 3U);
  EXPECT_EQ(page->urls[0].where, "module");
  const auto of_url = frontier_->admin().explain_url(scheduled("http://a.example/3", "L"));
  ASSERT_EQ(of_url->waits.size(), 1U);
  WaitingQuery query;
  query.host = "a.example";
  query.match = [](const Candidate& candidate) { return candidate.url.ends_with("3"); };
  EXPECT_EQ(frontier_->admin().erase(query)->urls, 1U);
  EXPECT_THAT(run_dry(), ElementsAre("http://b.example/2", "http://a.example/1"));
  EXPECT_THAT(told("watched"), IsEmpty());
}

TEST_F(HeldUrlsTest, WhatAModuleForgetsIsVisitedAllTheSame) {
  open_with_frontier(load("forgets", kLastFirst));
  add_pages({"http://a.example/bad", "http://b.example/2"});
  EXPECT_THAT(run_dry(), ElementsAre("http://b.example/2", "http://a.example/bad"));
  const std::string text = told("forgets");
  EXPECT_THAT(text, HasSubstr("its frontier failed at http://a.example/bad"));
  EXPECT_THAT(text, HasSubstr("hands over nothing, though nothing else is left to visit; 1 URL that it held is"));
}

TEST_F(HeldUrlsTest, AModuleThatInventsUrlsIsAskedNoMore) {
  open_with_frontier(load("invents", "function add_url() end\nfunction next_url() return 77 end"));
  add_pages({"http://a.example/1", "http://b.example/2"});
  EXPECT_THAT(run_dry(), ElementsAre("http://a.example/1", "http://b.example/2"));
  EXPECT_THAT(told("invents"), HasSubstr("hands over the URL 77, which it does not hold; 2 URLs that it held are"));
}

TEST_F(HeldUrlsTest, AModuleThatIsSwitchedOffIsAskedNoMore) {
  const std::string name = load("throws", "function add_url() end\nfunction next_url() error('no') end");
  modules::find_module(name)->errors().set_most(1);
  open_with_frontier(name);
  add_pages({"http://a.example/1", "http://b.example/2"});
  EXPECT_THAT(run_dry(), ElementsAre("http://a.example/1", "http://b.example/2"));
  EXPECT_THAT(told(name), HasSubstr("the frontier is switched off; 2 URLs that it held are visited"));
}

TEST_F(HeldUrlsTest, BudgetsCountWhatIsHandedOver) {
  options_.politeness.host_budget = 2;
  options_.politeness.domain_hosts = 2;
  options_.order.ahead = 10;
  open_with_frontier(load("budgets", kLastFirst));
  add_pages({"http://a.example.org/1", "http://a.example.org/2", "http://a.example.org/3", "http://b.example.org/4",
             "http://c.example.org/5"});
  EXPECT_EQ(frontier_->stats().queued, 5U);
  EXPECT_THAT(run_dry(), ::testing::UnorderedElementsAre("http://c.example.org/5", "http://b.example.org/4"));
  add_pages({"http://b.example.org/6", "http://b.example.org/7"});
  EXPECT_THAT(run_dry(), ElementsAre("http://b.example.org/6"));
  EXPECT_EQ(frontier_->stats().over_host_budget, 1U);
  EXPECT_EQ(frontier_->stats().over_domain_hosts, 3U);
  EXPECT_TRUE(frontier_->is_empty());
}

TEST_F(HeldUrlsTest, HandsOverSoManyAhead) {
  options_.order.ahead = 2;
  open_with_frontier(load("ahead", kLastFirst));
  add_pages({"http://a.example/1", "http://b.example/2", "http://c.example/3"});
  ASSERT_TRUE(next());
  EXPECT_EQ(frontier_->stats().held, 1U);
  EXPECT_TRUE(next());
}

TEST_F(HeldUrlsTest, APolicyOrdersUrlsAndQueues) {
  options_.sources.policy = *modules::PolicyModule::create(
      load("policy",
           "function precedence(link) return link.path == '/late' and 9 or 3 end\n"
           "function queue_precedence(queue) return queue.host == 'b.example' and 1 or 2 end\n"
           "function cost(link) return link.path == '/late' and 1001 or 7 end\n"),
      {});
  options_.order.order = UrlOrder::module;
  options_.order.queues = QueueOrderPolicy::module;
  reopen();
  add_pages({"http://a.example/late", "http://a.example/soon", "http://b.example/page"});
  EXPECT_THAT(run_dry(), ElementsAre("http://b.example/page", "http://a.example/soon", "http://a.example/late"));
  const PolicyChoices choices(options_.sources.policy);
  OrderSettings order;
  order.cost = CostPolicy::module;
  Candidate candidate;
  candidate.url = "http://a.example/soon";
  EXPECT_EQ(choices.cost_of(order, candidate), 7U);
  candidate.url = "http://a.example/late";
  EXPECT_EQ(choices.cost_of(order, candidate), 1U);
  EXPECT_THAT(told("policy"), HasSubstr("its policy failed at http://a.example/late: its cost is 1001, not 0 to 1000"));
}

TEST_F(HeldUrlsTest, APolicyPutsHostsIntoGroups) {
  options_.sources.policy = *modules::PolicyModule::create(load("groups", "function group(host) return 'all' end"), {});
  options_.politeness.group_assignment = GroupAssignment::module;
  reopen();
  add_pages({"http://a.example/1", "http://b.example/2"});
  const auto first = next();
  ASSERT_TRUE(first);
  EXPECT_FALSE(next());
  // A policy that fails later does not part them.
  modules::find_module("groups")->errors().set_most(1);
  modules::find_module("groups")->errors().record("policy", "as a test wants", "");
  settle(*first);
  EXPECT_FALSE(next());
  EXPECT_TRUE(next_whenever());
}

}  // namespace
}  // namespace caddis::frontier
