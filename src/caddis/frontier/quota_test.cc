#include "caddis/frontier/quota.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "caddis/frontier/frontier_fixture.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {
namespace {

TEST(Quota, EachForItself) {
  using S = QuotaSettings;
  const std::vector<std::pair<int64_t S::*, Quota>> limits = {{&S::host_successes, Quota::host_successes},
                                                              {&S::host_responses, Quota::host_responses},
                                                              {&S::host_bytes, Quota::host_bytes},
                                                              {&S::host_novel_bytes, Quota::host_novel_bytes},
                                                              {&S::server_successes, Quota::server_successes},
                                                              {&S::server_responses, Quota::server_responses},
                                                              {&S::server_bytes, Quota::server_bytes},
                                                              {&S::server_novel_bytes, Quota::server_novel_bytes},
                                                              {&S::group_successes, Quota::group_successes},
                                                              {&S::group_responses, Quota::group_responses},
                                                              {&S::group_bytes, Quota::group_bytes},
                                                              {&S::group_novel_bytes, Quota::group_novel_bytes},
                                                              {&S::domain_successes, Quota::domain_successes},
                                                              {&S::domain_responses, Quota::domain_responses},
                                                              {&S::domain_bytes, Quota::domain_bytes},
                                                              {&S::domain_novel_bytes, Quota::domain_novel_bytes},
                                                              {&S::domain_cost, Quota::domain_cost}};
  // Every counter has a value of its own.
  const Usage server{100, 101, 102, 103}, host{200, 201, 202, 203}, group{300, 301, 302, 303};
  const DomainUsage domain{{400, 401, 402, 403, 404}, 9s};
  const std::vector<int64_t> used = {200, 201, 202, 203, 100, 101, 102, 103, 300,
                                     301, 302, 303, 400, 401, 402, 403, 404};
  for (size_t i = 0; i < limits.size(); ++i) {
    QuotaSettings settings;
    settings.*limits[i].first = used[i];
    EXPECT_EQ(used_up(settings, {host, server, group, domain}), limits[i].second) << i;
    EXPECT_EQ(quota_line(settings), fmt::format("{}={} retire", to_string(limits[i].second), used[i]));
    settings.*limits[i].first = used[i] + 1;
    EXPECT_EQ(used_up(settings, {host, server, group, domain}), Quota::none) << i;
  }
  EXPECT_EQ(used_up({}, {host, server, group, domain}), Quota::none);
  EXPECT_EQ(quota_line({}), "");
  EXPECT_EQ(used_up({.domain_time = 9s}, {host, server, group, domain}), Quota::domain_time);
  EXPECT_EQ(used_up({.domain_time = 10s}, {host, server, group, domain}), Quota::none);
  EXPECT_EQ(quota_line({.domain_time = 9s}), "domain-time=9s retire");
  EXPECT_TRUE(has_domain_quota({.domain_time = 1s}) && has_domain_quota({.domain_bytes = 1}));
  EXPECT_FALSE(has_domain_quota({.host_bytes = 1}));
  const auto read = read_domain_usage(write_domain_usage(domain));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, domain);
  EXPECT_EQ(write_domain_usage({{1, 2, 3, 4, 5}, Duration(6)}), "\x01\x01\x02\x03\x04\x05\x06");
  EXPECT_FALSE(read_domain_usage("\x01\x01"));
}

// The same with all hosts in memory, and with room for one.
class QuotaTest : public FrontierTest, public ::testing::WithParamInterface<size_t> {
 protected:
  QuotaTest() { options_.hosts_in_memory = GetParam(); }

  void open_with(const QuotaSettings& quota) {
    options_.quota = quota;
    reopen();
  }
  void add_pages(const std::string& origin, int pages) {
    std::vector<ScheduledUrl> found;
    for (int page = 0; page < pages; ++page) found.push_back(scheduled(fmt::format("{}/{}", origin, page), "L"));
    add(std::move(found));
    commit();
  }
  Outcome answer(const Lease& lease, uint64_t bytes, Verdict verdict = Verdict::settled, int status = 200) {
    if (lease.kind != LeaseKind::url || lease.given_up != 0) return settle(lease, lease.given_up);
    Disposition done;
    done.lease = lease;
    done.status = status;
    done.verdict = verdict;
    done.bytes = bytes;
    done.novel_bytes = bytes / 2;
    return frontier_->finish(done);
  }
  // URLs visited (or given up, with the reason) by origin, until nothing is left to do. Each answer has 100 bytes.
  std::map<std::string, int> run() {
    std::map<std::string, int> visits;
    for (int step = 0; !frontier_->is_empty() && step < 20'000; ++step) {
      if (auto lease = next()) {
        if (lease->kind == LeaseKind::url)
          ++visits[lease->why.empty() ? lease->origin : lease->origin + " " + lease->why];
        answer(*lease, 100);
      } else {
        clock_.advance(1s);
      }
      if (step % 3 == 0) commit();
    }
    EXPECT_TRUE(frontier_->is_empty());
    commit();
    return visits;
  }
  // The next lease, after waiting until it is due; whoever waits long leaves memory meanwhile.
  Lease take() {
    for (int i = 0; i < 1000; ++i) {
      commit();
      if (auto lease = next()) return *lease;
      clock_.advance(1s);
    }
    ADD_FAILURE() << "nothing is due";
    return {};
  }
  using Visits = std::map<std::string, int>;
};

TEST_P(QuotaTest, RetiresAHostUntilItsQuotaIsRaised) {
  open_with({.host_successes = 3});
  add_pages("http://a.example", 6);
  add_pages("https://a.example", 4);
  add_pages("http://b.example", 2);
  Visits visits = run();
  EXPECT_EQ(visits["http://a.example"] + visits["https://a.example"], 3);
  EXPECT_EQ(visits["http://b.example"], 2);
  EXPECT_EQ(frontier_->stats().queued, 7u);
  EXPECT_EQ(frontier_->stats().queued_over, 7u);
  EXPECT_EQ(frontier_->stats().queued_retired, 7u);

  reopen();
  EXPECT_EQ(run(), Visits{}) << "the counters stand in its row";
  const HostReport host = *frontier_->admin().explain_host("a.example");
  EXPECT_EQ(host.usage.successes, 3u);
  EXPECT_EQ(host.queues.front().state, QueueState::over_quota);
  EXPECT_EQ(host.queues.front().over, Quota::host_successes);
  // What is found now waits, too.
  add({scheduled("http://a.example/late", "L")});
  EXPECT_EQ(run(), Visits{});
  EXPECT_EQ(frontier_->stats().queued_over, 8u);

  set_quotas({.host_successes = 5});
  EXPECT_FALSE(frontier_->is_empty());
  visits = run();
  EXPECT_EQ(visits["http://a.example"] + visits["https://a.example"], 2);
  EXPECT_EQ(frontier_->stats().queued_over, 6u);

  open_with({});
  visits = run();
  EXPECT_EQ(visits["http://a.example"] + visits["https://a.example"], 6);
  EXPECT_EQ(frontier_->stats().queued_over, 0u);
  EXPECT_EQ(frontier_->stats().queued_retired, 0u);
  EXPECT_EQ(frontier_->stats().queued, 0u);
}

TEST_P(QuotaTest, DropsWithTheReason) {
  open_with({.server_successes = 2, .action = QuotaAction::drop});
  add_pages("http://a.example", 5);
  add_pages("https://a.example", 3);
  Visits visits = run();
  EXPECT_EQ(visits, (Visits{{"http://a.example", 2},
                            {"http://a.example Q:server-successes", 3},
                            {"https://a.example", 2},
                            {"https://a.example Q:server-successes", 1}}));
  EXPECT_EQ(frontier_->stats().queued, 0u);
  // What is found later has no better luck, until the quota is raised.
  add({scheduled("http://a.example/late", "L")});
  EXPECT_EQ(run(), (Visits{{"http://a.example Q:server-successes", 1}}));
  set_quotas({.server_successes = 3, .action = QuotaAction::drop});
  add({scheduled("http://a.example/later", "L")});
  EXPECT_EQ(run(), (Visits{{"http://a.example", 1}}));
}

// Who was retired is dropped when the operator says so.
TEST_P(QuotaTest, ActionsChange) {
  open_with({.host_successes = 1});
  for (int i = 0; i < 4; ++i) add_pages(fmt::format("http://h{}.example", i), 3);
  EXPECT_EQ(run().size(), 4u);
  EXPECT_EQ(frontier_->stats().queued_over, 8u);
  open_with({.host_successes = 1, .action = QuotaAction::drop});
  EXPECT_EQ(frontier_->stats().queued_over, 8u);
  const Visits dropped = run();
  EXPECT_EQ(dropped.size(), 4u);
  for (const auto& [what, times] : dropped) EXPECT_EQ(times, 2) << what;
  EXPECT_EQ(frontier_->stats().queued_over, 0u);
  EXPECT_EQ(frontier_->stats().queued, 0u);
}

TEST_P(QuotaTest, BytesCountTheLastDocumentWhole) {
  open_with({.host_bytes = 250});
  add_pages("http://a.example", 6);
  EXPECT_EQ(run(), (Visits{{"http://a.example", 3}}));
  set_quotas({.host_novel_bytes = 250});
  EXPECT_EQ(run(), (Visits{{"http://a.example", 2}})) << "half of the bytes are novel";
  const Usage usage = frontier_->admin().explain_host("a.example")->usage;
  EXPECT_EQ(usage, (Usage{5, 5, 500, 250, 5}));
}

TEST_P(QuotaTest, GroupsOfHosts) {
  options_.politeness.groups = {"the x: x1.example x2.example x3.example"};
  open_with({.group_successes = 5});
  for (const char* host : {"http://x1.example", "http://x2.example", "http://x3.example", "http://y.example"})
    add_pages(host, 4);
  Visits visits = run();
  EXPECT_EQ(visits["http://y.example"], 4);
  EXPECT_EQ(visits["http://x1.example"] + visits["http://x2.example"] + visits["http://x3.example"], 5);
  EXPECT_EQ(frontier_->stats().queued_over, 7u);
  reopen();
  EXPECT_EQ(frontier_->admin().explain_host("x1.example")->group.usage.successes, 5u);
  EXPECT_EQ(run(), Visits{});
  set_quotas({.group_successes = 6});
  visits = run();
  EXPECT_EQ(visits["http://x1.example"] + visits["http://x2.example"] + visits["http://x3.example"], 1);
}

// Hosts of a domain share its quota without being named; the rows of domains are as many as they are.
TEST_P(QuotaTest, HostsOfADomain) {
  open_with({.domain_successes = 5});
  for (const char* host : {"http://x.example", "http://www.x.example", "http://a.b.x.example", "http://y.example"})
    add_pages(host, 4);
  add_pages("http://192.0.2.7", 7);
  const auto of_x = [](Visits& visits) {
    return visits["http://x.example"] + visits["http://www.x.example"] + visits["http://a.b.x.example"];
  };
  Visits visits = run();
  EXPECT_EQ(visits["http://y.example"], 4);
  EXPECT_EQ(visits["http://192.0.2.7"], 5) << "an address stands for itself";
  EXPECT_EQ(of_x(visits), 5);
  EXPECT_EQ(frontier_->stats().queued_over, 9u);
  reopen();
  const HostReport host = *frontier_->admin().explain_host("www.x.example");
  EXPECT_EQ(host.domain.name, "x.example");
  EXPECT_EQ(host.domain.usage.successes, 5u);
  EXPECT_EQ(run(), Visits{}) << "the counters stand in a row";
  set_quotas({.domain_successes = 6});
  visits = run();
  EXPECT_EQ(of_x(visits), 1);
  set_quotas({.domain_bytes = 700, .action = QuotaAction::drop});
  visits = run();
  EXPECT_EQ(of_x(visits), 1) << "600 of 700 bytes";
  int dropped = 0;
  for (const auto& [what, times] : visits)
    if (what.ends_with("x.example Q:domain-bytes")) dropped += times;
  EXPECT_EQ(dropped, 5);
  EXPECT_EQ(frontier_->stats().queued, 0u);
}

TEST_P(QuotaTest, OfDomainsThatAreSetLaterCountWhatWasTakenBefore) {
  open_with({.host_successes = 100});
  add_pages("http://x.example", 3);
  EXPECT_EQ(run(), (Visits{{"http://x.example", 3}}));
  EXPECT_EQ(frontier_->admin().explain_host("x.example")->domain.name, "") << "there is none of domains";
  set_quotas({.domain_successes = 5});
  for (const char* host : {"http://one.x.example", "http://two.x.example"}) add_pages(host, 2);
  int captured = 0;
  for (const auto& [origin, times] : run()) captured += times;
  EXPECT_EQ(captured, 2);
}

// Visits that run at the same time on several hosts of a domain do not take more than it may have.
TEST_P(QuotaTest, OfDomainsAreNotPassedByVisitsInFlight) {
  for (const QuotaSettings& quota : {QuotaSettings{.domain_successes = 10}, QuotaSettings{.domain_bytes = 1000}}) {
    SCOPED_TRACE(quota_line(quota));
    const std::string domain = quota.domain_bytes == 0 ? ".x.example" : ".y.example";
    open_with(quota);
    for (int host = 0; host < 7; ++host) add_pages(fmt::format("http://h{}{}", host, domain), 4);
    std::vector<Lease> running;
    size_t visits = 0, most = 0;
    for (int step = 0; step < 5000 && !(frontier_->is_empty() && running.empty()); ++step) {
      while (auto lease = next()) {
        visits += lease->kind == LeaseKind::url;
        running.push_back(*std::move(lease));
      }
      most = std::max(most, running.size());
      if (!running.empty() && step % 2 == 0) {
        answer(running.front(), 100);
        running.erase(running.begin());
      }
      clock_.advance(1s);
      if (step % 3 == 0) commit();
    }
    commit();
    EXPECT_EQ(visits, 10u);
    if (GetParam() > 1) EXPECT_GT(most, 3u);
    EXPECT_EQ(frontier_->admin().explain_host("h0" + domain)->domain.usage.successes, 10u);
  }
}

// Tries that are repeated are answers, no successes; those that our own disk spoilt are nothing.
TEST_P(QuotaTest, WhatCounts) {
  open_with({});
  add_pages("http://a.example", 1);
  Lease lease = take();
  for (; lease.kind != LeaseKind::url; lease = take()) settle(lease);
  EXPECT_EQ(answer(lease, 10, Verdict::retry_url, 503), Outcome::again);
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->usage, (Usage{0, 1, 10, 5, 11}));
  Disposition spoilt;
  spoilt.lease = take();
  spoilt.status = 200;
  spoilt.verdict = Verdict::retry_url;
  spoilt.local_failure = true;
  spoilt.bytes = 1000;
  frontier_->finish(spoilt);
  EXPECT_EQ(answer(take(), 20, Verdict::retry_url, -3), Outcome::again) << "no answer";
  EXPECT_EQ(answer(take(), 40, Verdict::settled, 404), Outcome::final);
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->usage, (Usage{1, 2, 50, 25, 23}));
}

// Whenever it dies, each host has exactly its quota in the end, and nothing is lost.
TEST_P(QuotaTest, HoldsOverDeaths) {
  constexpr int kHosts = 6, kPages = 10;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    open_with({.host_successes = 4});
    SeededRandom random(seed);
    const auto origin = [&](int host) { return fmt::format("http://h{}.s{}.example", host, seed); };
    for (int host = 0; host < kHosts; ++host) add_pages(origin(host), kPages);
    std::multiset<std::string> settled;
    std::vector<std::string> uncommitted;
    for (int step = 0; !frontier_->is_empty() && step < 20'000; ++step) {
      if (auto lease = next()) {
        if (lease->kind == LeaseKind::url) uncommitted.push_back(lease->origin);
        answer(*lease, 100);
      } else {
        clock_.advance(1s);
      }
      if (random.below(4) == 0) {
        commit();
        settled.insert(uncommitted.begin(), uncommitted.end());
        uncommitted.clear();
      }
      if (random.below(15) == 0) {
        uncommitted.clear();
        reopen();
      }
    }
    settled.insert(uncommitted.begin(), uncommitted.end());
    EXPECT_EQ(settled.size(), 4u * kHosts) << seed;
    for (int host = 0; host < kHosts; ++host) EXPECT_EQ(settled.count(origin(host)), 4u) << seed;
    EXPECT_EQ(frontier_->stats().queued_over, static_cast<uint64_t>(kHosts * (kPages - 4))) << seed;
    commit();
    open_with({});
    int rest = 0;
    for (const auto& [what, visits] : run()) rest += visits;
    EXPECT_EQ(rest, kHosts * (kPages - 4)) << seed;
  }
}

// A limit of the whole crawl: everything is given up, wherever it waits and for whatever time.
TEST_P(QuotaTest, RunsDry) {
  options_.again = *Again::parse({"200 after 100d"});
  open_with({.server_successes = 2});
  for (int host = 0; host < 5; ++host) add_pages(fmt::format("http://h{}.example", host), 3);
  add_pages("http://retired.example", 4);
  Visits before;
  while (before.size() < 4) {
    if (auto lease = next()) {
      if (lease->kind == LeaseKind::url) ++before[lease->origin];
      answer(*lease, 100);
    } else {
      clock_.advance(1s);
    }
    commit();
  }
  const uint64_t held_back = frontier_->stats().queued_over;
  const uint64_t waiting = frontier_->stats().queued - held_back;
  frontier_->admin().abandon_all(-5004, "limit:max-documents");
  uint64_t given_up = 0;
  for (int step = 0; !frontier_->is_empty() && step < 1000; ++step) {
    if (auto lease = next()) {
      EXPECT_EQ(lease->given_up, -5004);
      EXPECT_EQ(lease->why, "limit:max-documents");
      ++given_up;
      settle(*lease, lease->given_up);
    }
    commit();
  }
  EXPECT_TRUE(frontier_->is_empty());
  EXPECT_EQ(given_up + (frontier_->stats().queued_over - held_back), waiting);
}

// What its visits may cost ends a server, by the policy of costs, failures included.
TEST_P(QuotaTest, OfCosts) {
  options_.order.cost = CostPolicy::wag;
  open_with({.server_cost = 7});
  for (int i = 0; i < 10; ++i) add({scheduled(fmt::format("http://a.example/page?{}", i), "L")});
  EXPECT_EQ(run()["http://a.example"], 4);
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().state, QueueState::over_quota);
}

// A setting of their host retires queues, whatever their quotas, until it says otherwise: also hosts that are not in
// memory, and after a restart.
TEST_P(QuotaTest, ASettingRetires) {
  std::set<std::string> closed = {"a.example"};
  options_.rules_of = [&](const std::string& host) -> std::shared_ptr<const HostRules> {
    if (!closed.contains(host)) return nullptr;
    auto rules = std::make_shared<HostRules>(options_.rules());
    rules->order.retire = true;
    return rules;
  };
  const auto follow = [&] {
    HostRules rules = options_.rules();
    options_.reach = {};
    rules.order.retire = !closed.empty();
    options_.reach.include(rules);
    options_.sheet_quotas = fmt::format("{}", fmt::join(closed, " "));
  };
  follow();
  open_with({.host_successes = 1, .action = QuotaAction::drop});
  add_pages("http://a.example", 3);
  add_pages("http://b.example", 2);
  EXPECT_EQ(run(), (Visits{{"http://b.example", 1}, {"http://b.example Q:host-successes", 1}}));
  EXPECT_EQ(frontier_->stats().queued_retired, 3u);
  EXPECT_EQ(frontier_->stats().queued_retired_by_order(), 3u) << "no quota is used up";
  reopen();
  EXPECT_EQ(run(), Visits{});
  const QueueReport queue = frontier_->admin().explain_host("a.example")->queues.front();
  EXPECT_EQ(queue.state, QueueState::retired_by_setting);
  EXPECT_EQ(queue.over, Quota::none);

  closed = {"b.example"};
  follow();
  set_quotas({});
  EXPECT_EQ(run(), (Visits{{"http://a.example", 3}}));
  add({scheduled("http://b.example/late", "L")});
  EXPECT_EQ(run(), Visits{});
  closed.clear();
  follow();
  set_quotas({});
  EXPECT_EQ(run(), (Visits{{"http://b.example", 1}}));
}

// Queues that fall below the floor of precedence are not visited any more, until it is lowered.
TEST_P(QuotaTest, OfPrecedence) {
  options_.order.queues = QueueOrderPolicy::highest_url;
  options_.order.order = UrlOrder::hops;
  open_with({.precedence_floor = priority_class(Precedence::normal, 2)});
  for (int hops = 1; hops <= 4; ++hops)
    add({scheduled(fmt::format("http://a.example/{}", hops), std::string(static_cast<size_t>(hops), 'L'))});
  EXPECT_EQ(run()["http://a.example"], 2);
  EXPECT_EQ(frontier_->stats().queued_over, 2u);
  commit();
  open_with({});
  EXPECT_EQ(run()["http://a.example"], 2);
}

INSTANTIATE_TEST_SUITE_P(HostsInMemory, QuotaTest, ::testing::Values(100'000, 1));

}  // namespace
}  // namespace caddis::frontier
