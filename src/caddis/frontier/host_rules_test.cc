#include "caddis/frontier/host_rules.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

class HostRulesTest : public FrontierTest {
 protected:
  // The frontier again, with rules of their own for some hosts.
  void open_with(std::map<std::string, HostRules> rules) {
    options_.resolve_names = options_.obey_robots = false;
    options_.politeness.delay = 1s;
    options_.reach = {};
    for (const auto& [host, of_host] : rules) options_.reach.include(of_host);
    options_.rules_of = [this, rules = std::move(rules)](const std::string& host) {
      ++asked_[host];
      const auto found = rules.find(host);
      return found == rules.end() ? nullptr : std::make_shared<const HostRules>(found->second);
    };
    reopen();
  }
  HostRules rules() const {
    HostRules made{options_.politeness, options_.order, options_.quota, {}, false, "caddis", {"gentle"}, false};
    made.politeness.delay = 10s;
    return made;
  }
  // How long after each other two URLs of the host are leased.
  Duration pause_of(const std::string& host) {
    add({scheduled("http://" + host + "/1"), scheduled("http://" + host + "/2")});
    const auto first = next_whenever();
    settle(*first);
    const SteadyTime done = clock_.steady();
    settle(*next_whenever());
    return clock_.steady() - done;
  }

  std::map<std::string, int> asked_;
};

// A proxy looks up the names of the hosts that it is set for, and of no others; it may come and go while a crawl runs.
TEST_F(HostRulesTest, ProxiesDiffer) {
  HostRules proxied = rules();
  proxied.resolves_names = false;
  open_with({{"far.example", proxied}});
  HostRules of_crawl = options_.rules();
  of_crawl.resolves_names = true;
  frontier_->admin().set_rules(of_crawl, options_.reach, "");
  const auto addresses_of = [&](int page) {
    add({scheduled(fmt::format("http://far.example/{}", page)),
         scheduled(fmt::format("http://near.example/{}", page))});
    std::map<std::string, std::string> addresses;
    while (const auto lease = next_whenever()) {
      addresses[lease->kind == LeaseKind::dns ? lease->candidate.url : lease->host] = lease->address;
      settle(*lease);
    }
    return addresses;
  };
  using Addresses = std::map<std::string, std::string>;
  EXPECT_EQ(addresses_of(1), (Addresses{{"far.example", ""}, {"near.example", "192.0.2.1"}, {"dns:near.example", ""}}));
  of_crawl.resolves_names = false;
  frontier_->admin().set_rules(of_crawl, options_.reach, "");
  EXPECT_EQ(addresses_of(2), (Addresses{{"far.example", ""}, {"near.example", ""}}));
}

TEST_F(HostRulesTest, DelaysDiffer) {
  open_with({{"slow.example", rules()}});
  EXPECT_EQ(pause_of("slow.example"), 10s);
  EXPECT_EQ(pause_of("other.example"), 1s);
  EXPECT_EQ(frontier_->admin().explain_host("slow.example")->sheets, std::vector<std::string>{"gentle"});
  EXPECT_TRUE(frontier_->admin().explain_host("other.example")->sheets.empty());
}

TEST_F(HostRulesTest, AreAskedForWheneverAHostComesIn) {
  open_with({{"slow.example", rules()}});
  add({scheduled("http://slow.example/1"), scheduled("http://slow.example/2"), scheduled("http://slow.example/3")});
  settle(*next_whenever());
  EXPECT_EQ(asked_["slow.example"], 1);
  commit();
  open_with({});
  settle(*next_whenever());
  const SteadyTime done = clock_.steady();
  settle(*next_whenever());
  EXPECT_EQ(clock_.steady() - done, 1s) << "the sheet holds no more";
}

TEST_F(HostRulesTest, SeveralVisitsOfOneHost) {
  HostRules several = rules();
  several.politeness.visits_per_host = 2;
  several.politeness.delay = 0s;
  open_with({{"big.example", several}});
  std::vector<ScheduledUrl> all;
  for (const char* host : {"big.example", "other.example"})
    for (const char* path : {"/1", "/2", "/3"}) all.push_back(scheduled(std::string("http://") + host + path));
  add(std::move(all));
  std::map<std::string, int> at_once;
  std::vector<Lease> leases;
  while (auto lease = next()) {
    ++at_once[lease->host];
    leases.push_back(*lease);
  }
  EXPECT_EQ(at_once["big.example"], 2);
  EXPECT_EQ(at_once["other.example"], 1);
  for (const Lease& lease : leases) settle(lease);
  EXPECT_EQ(run_dry().size(), 3u);
}

TEST_F(HostRulesTest, BudgetsRetriesAndQuotas) {
  HostRules small = rules();
  small.politeness.host_budget = 2;
  small.politeness.url_retries = 0;
  HostRules full = rules();
  full.quota.host_successes = 1;
  full.quota.action = QuotaAction::drop;
  open_with({{"small.example", small}, {"full.example", full}});
  for (const char* host : {"small.example", "full.example", "other.example"})
    for (const char* path : {"/1", "/2", "/3"}) add({scheduled(std::string("http://") + host + path, "L")});
  std::map<std::string, std::vector<int>> given_up;
  while (auto lease = next_whenever()) {
    given_up[lease->host].push_back(lease->given_up);
    settle(*lease);
  }
  EXPECT_EQ(given_up["small.example"], (std::vector{0, 0}));
  EXPECT_EQ(given_up["full.example"], (std::vector{0, status::kBlockedByQuota, status::kBlockedByQuota}));
  EXPECT_EQ(given_up["other.example"], (std::vector{0, 0, 0}));
}

// What is polite together by its own rule.
TEST_F(HostRulesTest, HostsOfADomainTogether) {
  HostRules together = rules();
  together.politeness.group_assignment = GroupAssignment::domain;
  open_with({{"a.one.example", together}, {"b.one.example", together}});
  add({scheduled("http://a.one.example/"), scheduled("http://b.one.example/"), scheduled("http://a.two.example/"),
       scheduled("http://b.two.example/")});
  std::map<std::string, int> at_once;
  while (auto lease = next()) ++at_once[lease->host.substr(2)];
  EXPECT_EQ(at_once["one.example"], 1);
  EXPECT_EQ(at_once["two.example"], 2);
}

// The order of a URL comes with it.
TEST_F(HostRulesTest, OrderOfAUrl) {
  open_with({});
  auto deep = std::make_shared<OrderSettings>();
  deep->order = UrlOrder::deep;
  std::vector<ScheduledUrl> all = {scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "LL")};
  for (ScheduledUrl& one : all) one.order = deep;
  add(std::move(all));
  EXPECT_EQ(run_dry(), (std::vector<std::string>{"http://a.example/2", "http://a.example/1"}));
}

}  // namespace
}  // namespace caddis::frontier
