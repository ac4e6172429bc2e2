#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "caddis/frontier/chunk.h"
#include "caddis/frontier/delays.h"
#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

TEST_F(FrontierTest, PrerequisitesComeFirstAndOnce) {
  add({scheduled("http://a.example/")});
  add({scheduled("http://a.example/1", "L", "http://a.example/"),
       scheduled("http://a.example/2", "L", "http://a.example/")});
  EXPECT_EQ(run_dry(), (std::vector<std::string>{"dns:a.example", "http://a.example/robots.txt", "http://a.example/",
                                                 "http://a.example/1", "http://a.example/2"}));
  EXPECT_TRUE(frontier_->is_empty());
}

// A host known from a time without a proxy is asked for by its name, too.
TEST_F(FrontierTest, BehindAProxyNamesAreNotResolved) {
  add({scheduled("http://known.example/")});
  run_dry();
  commit();
  options_.resolve_names = false;
  reopen();
  add({scheduled("http://a.example/"), scheduled("http://known.example/1")});
  std::set<std::string> urls;
  while (const auto lease = next_whenever()) {
    EXPECT_EQ(lease->address, "");
    urls.insert(lease->candidate.url);
    settle(*lease);
  }
  EXPECT_EQ(urls,
            (std::set<std::string>{"http://a.example/robots.txt", "http://a.example/", "http://known.example/1"}));
}

TEST_F(FrontierTest, WhatWasSeenIsNotTakenAgainUnlessForced) {
  EXPECT_EQ(add({scheduled("http://a.example/x", "L")}), 1u);
  EXPECT_EQ(add({scheduled("http://a.example/x", "LL")}), 0u);
  EXPECT_EQ(frontier_->stats().queued, 1u);
  ScheduledUrl forced = scheduled("http://a.example/x", "LR");
  forced.candidate.force = true;
  add({forced});
  EXPECT_EQ(frontier_->stats().queued, 2u);
}

TEST_F(FrontierTest, EmbedsBeforeLinksAndRedirectsBeforeBoth) {
  add({scheduled("http://a.example/link", "L"), scheduled("http://a.example/image", "E"),
       scheduled("http://a.example/moved", "R")});
  const auto urls = run_dry();
  EXPECT_EQ(std::vector<std::string>(urls.begin() + 2, urls.end()),
            (std::vector<std::string>{"http://a.example/moved", "http://a.example/image", "http://a.example/link"}));
}

TEST_F(FrontierTest, OneVisitAHostAndThePauseBetweenTwo) {
  add({scheduled("http://a.example/", "L"), scheduled("https://a.example/", "L")});
  settle(*next_whenever());  // dns
  const auto first = next_whenever();
  ASSERT_TRUE(first);
  clock_.advance(1h);
  EXPECT_FALSE(next()) << "a host serves one visit at a time, whatever the scheme";
  settle(*first);
  EXPECT_FALSE(next());
  clock_.advance(2999ms);
  EXPECT_FALSE(next()) << "min-delay is three seconds";
  clock_.advance(1ms);
  EXPECT_TRUE(next());
}

TEST_F(FrontierTest, AtMostFourVisitsAnAddress) {
  for (int i = 0; i < 6; ++i) add({scheduled("http://h" + std::to_string(i) + ".example/")});
  for (int i = 0; i < 6; ++i) settle(*next());  // dns: all on one address
  std::vector<Lease> out;
  while (auto lease = next()) out.push_back(*lease);
  EXPECT_EQ(out.size(), 4u);
  settle(out.front());
  EXPECT_TRUE(next()) << "the next in the address's line";
  EXPECT_FALSE(next());
}

TEST_F(FrontierTest, CrawlDelayIsObeyed) {
  add({scheduled("http://a.example/")});
  settle(*next_whenever());
  const Lease robots = *next_whenever();
  Disposition done;
  done.lease = robots;
  done.robots = RobotsText{"User-agent: *\nCrawl-delay: 20\n", clock_.wall() + 24h};
  frontier_->finish(done);
  clock_.advance(19s);
  EXPECT_FALSE(next()) << "from robots.txt on";
  settle(*next_whenever());
  add({scheduled("http://a.example/2", "L")});
  clock_.advance(19s);
  EXPECT_FALSE(next());
  clock_.advance(1s);
  EXPECT_TRUE(next());
}

TEST_F(FrontierTest, AFailingUrlWaitsAlone) {
  add({scheduled("http://a.example/bad", "L"), scheduled("http://a.example/good", "L")});
  settle(*next_whenever());
  settle(*next_whenever());
  Lease bad = *next_whenever();
  ASSERT_EQ(bad.candidate.url, "http://a.example/bad");
  Disposition done;
  done.lease = bad;
  done.verdict = Verdict::retry_url;
  done.status = -3;
  EXPECT_EQ(frontier_->finish(done), Outcome::again);
  Lease good = *next_whenever();
  EXPECT_EQ(good.candidate.url, "http://a.example/good");
  settle(good);
  Duration waited{};
  for (uint32_t attempt = 2; attempt <= 4; ++attempt) {
    const SteadyTime before = clock_.steady();
    bad = *next_whenever();
    EXPECT_GT(clock_.steady() - before, waited) << "each wait is longer";
    waited = clock_.steady() - before;
    EXPECT_EQ(bad.attempt, attempt);
    done.lease = bad;
    EXPECT_EQ(frontier_->finish(done), attempt == 4 ? Outcome::final : Outcome::again);
  }
  EXPECT_TRUE(frontier_->is_empty());
}

TEST_F(FrontierTest, ADeadHostIsSetAsideProbedAndGivenUp) {
  std::vector<ScheduledUrl> many;
  for (int i = 0; i < 100; ++i) many.push_back(scheduled("http://dead.example/" + std::to_string(i), "L"));
  add(many);
  add({scheduled("http://alive.example/")});
  int tries = 0;
  std::set<int> statuses;
  size_t given_up = 0;
  while (auto lease = next_whenever()) {
    if (lease->host == "alive.example" || lease->kind == LeaseKind::dns) {
      settle(*lease);
    } else if (lease->given_up != 0) {
      ++given_up;
      statuses.insert(lease->given_up);
      settle(*lease, lease->given_up);
    } else {
      ++tries;
      fail_host(*lease);
    }
  }
  EXPECT_TRUE(frontier_->is_empty());
  EXPECT_EQ(given_up, 100u);
  EXPECT_EQ(statuses, std::set<int>{-61}) << "robots.txt could not be had";
  EXPECT_LE(tries, 5 + 3) << "not one try for each URL";
}

// An only host that is gone for a while is waited for, as often and as long as the settings say.
TEST_F(FrontierTest, AHostThatAnsweredHasAllItsProbesAtTheirTimes) {
  options_.politeness.set_aside = 30min;
  options_.politeness.host_probes = 3;
  reopen();
  std::vector<ScheduledUrl> pages;
  for (int i = 0; i < 10; ++i) pages.push_back(scheduled("http://a.example/" + std::to_string(i), "L"));
  add(pages);
  for (int ended = 0; ended < 5;) {
    const auto lease = next_whenever();
    settle(*lease);
    ended += lease->kind == LeaseKind::url ? 1 : 0;
  }
  const SteadyTime gone = clock_.steady();
  int tries = 0, given_up = 0;
  SteadyTime last{};
  while (auto lease = next_whenever()) {
    if (lease->kind == LeaseKind::dns) {
      settle(*lease);
    } else if (lease->given_up != 0) {
      ++given_up;
      settle(*lease, lease->given_up);
    } else {
      ++tries;
      last = clock_.steady();
      fail_host(*lease);
    }
  }
  EXPECT_EQ(tries, 5 + 3);
  EXPECT_GE(last - gone, Duration(3 * 30min));
  EXPECT_EQ(given_up, 4) << "and the one that was tried last";
}

TEST_F(FrontierTest, BudgetsLeaveOutAndCount) {
  options_.politeness.host_budget = 5;
  options_.politeness.domain_hosts = 3;
  reopen();
  add({scheduled("http://a.example/")});
  for (int i = 0; i < 10; ++i) add({scheduled("http://a.example/" + std::to_string(i), "L")});
  for (int i = 0; i < 10; ++i) add({scheduled("http://w" + std::to_string(i) + ".wild.example/", "L")});
  add({scheduled("http://w0.wild.example/more", "L")});
  add({scheduled("http://w9.wild.example/given")});  // a seed
  EXPECT_EQ(frontier_->stats().over_host_budget, 6u);
  EXPECT_EQ(frontier_->stats().over_domain_hosts, 7u);
  EXPECT_EQ(frontier_->stats().queued, 5u + 3u + 2u);
  // Nothing of it counts as seen.
  EXPECT_EQ(frontier_->stats().seen, 10u);
}

TEST_F(FrontierTest, ABudgetEndsInTheMiddleOfAPage) {
  options_.politeness.host_budget = 5;
  reopen();
  const auto links = [this](const std::string& host, int from) {
    std::vector<ScheduledUrl> page;
    for (int i = from; i < from + 12; ++i) page.push_back(scheduled(fmt::format("http://{}/{}", host, i), "L"));
    return page;
  };
  add(links("new.example", 0));
  EXPECT_EQ(frontier_->stats().queued, 5u);
  EXPECT_EQ(frontier_->stats().over_host_budget, 7u);
  add({scheduled("http://old.example/", "L")});
  add(links("old.example", 0));
  EXPECT_EQ(frontier_->stats().queued, 10u);
  EXPECT_EQ(frontier_->stats().over_host_budget, 15u);
}

// A host that is about to leave is left alone: it is set right when it is loaded again.
TEST_F(FrontierTest, AHostThatLeavesIsNotTriedAgainBeforeItIsBack) {
  bool open_to_all = false;
  options_.outside.may_connect = [&](const std::string&, const std::string&) { return open_to_all; };
  options_.hosts_in_memory = 1;
  reopen();
  add({scheduled("http://inner.test/1", "L")});
  Disposition refused;
  refused.lease = *next_whenever();
  refused.status = status::kAddressRefused;
  refused.host_is_hopeless = true;
  refused.addresses = HostAddresses{{"10.0.0.7"}, kRefused};
  frontier_->finish(refused);
  settle(*next_whenever(), status::kAddressRefused);
  add({scheduled("http://b.test/", "L")});
  EXPECT_FALSE(next()) << "the first host makes room";
  store::Batch batch;
  const uint64_t stage = frontier_->stage(batch);
  open_to_all = true;
  frontier_->admin().recheck_refused();
  ASSERT_TRUE(kv_->write(batch, store::Durability::synced));
  frontier_->committed(stage);
  commit();
  EXPECT_THAT(run_dry(), testing::Contains("http://b.test/"));
}

// Another visit that was on its way ends after the one that was told to wait.
TEST_F(FrontierTest, RetryAfterHoldsForAllVisitsOfAHost) {
  options_.politeness.visits_per_host = 2;
  reopen();
  add({scheduled("http://a.example/1"), scheduled("http://a.example/2"), scheduled("http://a.example/3")});
  settle(*next_whenever());
  settle(*next_whenever());
  const Lease first = *next_whenever(), second = *next_whenever();
  Disposition asked;
  asked.lease = first;
  asked.status = 429;
  asked.verdict = Verdict::retry_url;
  asked.retry_after = 1h;
  frontier_->finish(asked);
  settle(second);
  clock_.advance(59min);
  EXPECT_FALSE(next());
  clock_.advance(1min);
  EXPECT_TRUE(next());
}

// What is found for hosts that are out of memory is judged when they come in: seeds and what is forced are taken.
TEST_F(FrontierTest, BudgetsLeaveOutOfTheMail) {
  options_.hosts_in_memory = 1;
  options_.politeness.host_budget = 4;
  reopen();
  add({scheduled("http://in.example/", "L")});
  std::vector<ScheduledUrl> links;
  for (int i = 0; i < 6; ++i) links.push_back(scheduled("http://out.example/" + std::to_string(i), "L"));
  add(links);
  for (int i = 6; i < 10; ++i) add({scheduled("http://out.example/" + std::to_string(i), "L")});
  ScheduledUrl forced = scheduled("http://out.example/forced", "L");
  forced.candidate.force = true;
  add({scheduled("http://out.example/seed"), forced});
  EXPECT_EQ(frontier_->stats().queued, 13u) << "nobody knows yet";
  EXPECT_EQ(frontier_->stats().over_host_budget, 0u);
  std::vector<std::string> visited;
  for (int i = 0; i < 40; ++i) {
    if (const auto lease = next_whenever()) {
      if (lease->kind == LeaseKind::url && lease->host == "out.example") visited.push_back(lease->candidate.url);
      settle(*lease);
    }
    commit();
    if (i == 10) reopen();
  }
  EXPECT_EQ(std::set<std::string>(visited.begin(), visited.end()),
            (std::set<std::string>{"http://out.example/0", "http://out.example/1", "http://out.example/2",
                                   "http://out.example/3", "http://out.example/forced", "http://out.example/seed"}));
  EXPECT_EQ(visited.size(), 6u);
  EXPECT_EQ(frontier_->stats().over_host_budget, 6u);
  EXPECT_EQ(frontier_->stats().queued, 0u);
  EXPECT_TRUE(frontier_->is_empty());
}

// A refused port is not the host's: what else stands on it goes on at its own pace.
TEST_F(FrontierTest, ADeadOriginDoesNotSlowItsHost) {
  for (int i = 0; i < 20; ++i) add({scheduled("http://a.example/" + std::to_string(i), "L")});
  add({scheduled("http://a.example:81/dead", "L")});
  const SteadyTime began = clock_.steady();
  int tries = 0, given_up = 0, pages = 0;
  SteadyTime last_page = began;
  while (auto lease = next_whenever()) {
    const bool dead = lease->origin == "http://a.example:81";
    if (lease->given_up != 0) {
      ++given_up;
      settle(*lease, lease->given_up);
    } else if (dead && lease->kind != LeaseKind::dns) {
      ++tries;
      fail_host(*lease);
    } else {
      settle(*lease);
      if (lease->kind == LeaseKind::url) {
        ++pages;
        last_page = clock_.steady();
      }
    }
  }
  EXPECT_EQ(pages, 20);
  EXPECT_EQ(given_up, 1);
  EXPECT_LE(tries, 5 + 3);
  EXPECT_LE(last_page - began, 3s * (20 + 2 + 8)) << "three seconds a visit, failed ones included";
}

TEST_F(FrontierTest, ANameThatDoesNotExistIsGivenUpAtOnce) {
  add({
      scheduled("http://no.example/"),
  });
  Disposition done;
  done.lease = *next_whenever();
  done.verdict = Verdict::host_failed;
  done.status = -1;
  done.host_is_hopeless = true;
  EXPECT_EQ(frontier_->finish(done), Outcome::final);
  const auto lease = next_whenever();
  EXPECT_EQ(lease->given_up, -6);
  settle(*lease, -6);
  EXPECT_TRUE(frontier_->is_empty());
}

// All that waits for it is given up with the address that was refused, until one may connect there.
TEST_F(FrontierTest, AHostWhereNobodyMayConnectIsGivenUpAtOnce) {
  bool open_to_all = false;
  options_.outside.may_connect = [&](const std::string&, const std::string& address) {
    return open_to_all || address != "10.0.0.7";
  };
  reopen();
  const auto refuse = [&] {
    Disposition done;
    done.lease = *next_whenever();
    EXPECT_EQ(done.lease.kind, LeaseKind::dns);
    done.status = status::kAddressRefused;
    done.host_is_hopeless = true;
    done.addresses = HostAddresses{{"10.0.0.7"}, kRefused};
    EXPECT_EQ(frontier_->finish(done), Outcome::final);
    return done.lease.first_lookup;
  };
  add({scheduled("http://inner.test/1", "L"), scheduled("http://inner.test/2", "L")});
  EXPECT_TRUE(refuse());
  for (int i = 0; i < 2; ++i) {
    const auto lease = next_whenever();
    EXPECT_EQ(lease->given_up, status::kAddressRefused);
    EXPECT_EQ(lease->why, "refused:10.0.0.7");
    settle(*lease, status::kAddressRefused);
  }
  EXPECT_TRUE(frontier_->is_empty());
  EXPECT_EQ(frontier_->stats().hosts_given_up, 1u);
  commit();
  reopen();
  add({scheduled("http://inner.test/3", "L")});
  auto lease = next_whenever();
  EXPECT_EQ(lease->given_up, status::kAddressRefused) << "still";
  settle(*lease, status::kAddressRefused);

  // Now one may; but what its name server said first has been heard.
  open_to_all = true;
  frontier_->admin().recheck_refused();
  EXPECT_EQ(frontier_->stats().hosts_given_up, 0u);
  add({scheduled("http://inner.test/4", "L")});
  EXPECT_FALSE(refuse());
  EXPECT_EQ(next_whenever()->given_up, status::kAddressRefused);
}

// Somebody has named it since: its look-up counts as the first.
TEST_F(FrontierTest, ARefusedHostMayBeLookedUpAgain) {
  ASSERT_TRUE(frontier_->admin().look_up_again("a.example"));
  EXPECT_EQ(frontier_->stats().hosts, 0u) << "nothing to look at";
  add({scheduled("http://inner.test/1", "L")});
  Disposition done;
  done.lease = *next_whenever();
  done.status = status::kAddressRefused;
  done.host_is_hopeless = true;
  done.addresses = HostAddresses{{"10.0.0.7"}, kRefused};
  frontier_->finish(done);
  ASSERT_TRUE(frontier_->admin().look_up_again("inner.test"));
  const auto lease = next_whenever();
  EXPECT_EQ(lease->kind, LeaseKind::dns);
  EXPECT_TRUE(lease->first_lookup);
  settle(*lease);
  EXPECT_EQ(next_whenever()->given_up, 0);
}

// Of an address itself: one port may be our own, the others are none of ours.
TEST_F(FrontierTest, AnOriginWhereNobodyMayConnectIsGivenUpAlone) {
  add({scheduled("http://192.0.2.1:8444/", "L"), scheduled("http://192.0.2.1/", "L")});
  Disposition done;
  done.lease = *next_whenever();
  ASSERT_EQ(done.lease.kind, LeaseKind::robots);
  done.status = status::kAddressRefused;
  done.host_is_hopeless = true;
  frontier_->finish(done);
  const std::string refused = done.lease.origin;
  for (int i = 0; i < 3; ++i) {
    const auto lease = next_whenever();
    EXPECT_EQ(lease->given_up, lease->origin == refused ? status::kAddressRefused : 0) << lease->origin;
    settle(*lease, lease->given_up == 0 ? 200 : status::kAddressRefused);
  }
  EXPECT_TRUE(frontier_->is_empty());
}

TEST_F(FrontierTest, AReturnedLeaseStandsWhereItStood) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  settle(*next_whenever());
  settle(*next_whenever());
  Disposition done;
  done.lease = *next_whenever();
  done.verdict = Verdict::returned;
  done.touched_host = false;
  frontier_->finish(done);
  EXPECT_EQ(next_whenever()->candidate.url, "http://a.example/1");
}

// Every committed state can be taken up again: nothing is lost and nothing settled comes twice.
TEST_F(FrontierTest, GoesOnAfterADeathAtAnyCommit) {
  std::vector<ScheduledUrl> all;
  for (int i = 0; i < 40; ++i)
    all.push_back(
        scheduled("http://h" + std::to_string(i % 4) + ".example/" + std::to_string(i), i % 3 == 0 ? "LE" : "L"));
  add(all);
  commit();
  std::multiset<std::string> settled;
  int since_commit = 0;
  std::vector<std::string> uncommitted;
  while (true) {
    auto lease = next_whenever();
    if (!lease) break;
    settle(*lease);
    if (lease->kind == LeaseKind::url) uncommitted.push_back(lease->candidate.url);
    if (++since_commit % 3 == 0) {
      commit();
      settled.insert(uncommitted.begin(), uncommitted.end());
      uncommitted.clear();
    }
    if (since_commit % 7 == 0) {
      uncommitted.clear();  // these are forgotten and fetched again
      reopen();
    }
  }
  settled.insert(uncommitted.begin(), uncommitted.end());
  EXPECT_EQ(settled.size(), 40u);
  EXPECT_EQ(std::set<std::string>(settled.begin(), settled.end()).size(), 40u);
}

// A frontier that may hold three hosts in memory visits forty: all of them, each URL once, whatever dies in between.
TEST_F(FrontierTest, HostsThatAreOutOfMemoryComeInAgain) {
  options_.hosts_in_memory = 3;
  reopen();
  constexpr int kHosts = 40, kPages = 8;
  const auto page = [&](int host, int number) {
    return scheduled(fmt::format("http://h{}.example/{}", host, number), number % 3 == 0 ? "LE" : "L");
  };
  for (int number = 0; number < kPages / 2; ++number)
    for (int host = 0; host < kHosts; ++host) add({page(host, number)});
  commit();
  std::multiset<std::string> settled;
  std::vector<std::string> uncommitted;
  int later = 0;
  for (int step = 1; !frontier_->is_empty() || later < kHosts; ++step) {
    ASSERT_LT(step, 20'000);
    if (auto lease = next()) {
      settle(*lease);
      if (lease->kind == LeaseKind::url) uncommitted.push_back(lease->candidate.url);
    } else {
      clock_.advance(500ms);
    }
    // More is found while hosts come and go.
    if (step % 5 == 0 && later < kHosts) {
      std::vector<ScheduledUrl> found;
      for (int number = kPages / 2; number < kPages; ++number) found.push_back(page(later, number));
      add(std::move(found));
      ++later;
      commit();
      settled.insert(uncommitted.begin(), uncommitted.end());
      uncommitted.clear();
    }
    if (step % 7 == 0) {
      commit();
      settled.insert(uncommitted.begin(), uncommitted.end());
      uncommitted.clear();
      EXPECT_LE(frontier_->stats().hosts_in_memory, 3u);
    }
    if (step % 101 == 0) {
      uncommitted.clear();  // these are forgotten and fetched again
      reopen();
    }
  }
  settled.insert(uncommitted.begin(), uncommitted.end());
  EXPECT_EQ(settled.size(), static_cast<size_t>(kHosts * kPages));
  EXPECT_EQ(std::set<std::string>(settled.begin(), settled.end()).size(), settled.size());
  EXPECT_EQ(frontier_->stats().hosts, static_cast<uint64_t>(kHosts));
}

TEST_F(FrontierTest, ListsWhatWaitsOutOfMemoryToo) {
  options_.hosts_in_memory = 2;
  reopen();
  for (int i = 0; i < 10; ++i)
    add({scheduled(fmt::format("http://h{}.example/", i)), scheduled("http://h0.example/x", "L")});
  const auto waiting = [&] {
    std::multiset<std::string> urls;
    for (const WaitingUrl& url : frontier_->admin().waiting({.limit = 10'000})->urls) urls.insert(url.candidate.url);
    return urls;
  };
  EXPECT_EQ(waiting().size(), 11u);
  commit();
  EXPECT_EQ(waiting().size(), 11u);
  settle(*next_whenever());
  settle(*next_whenever());
  EXPECT_EQ(waiting().size(), frontier_->stats().queued);
  reopen();
  EXPECT_EQ(waiting().size(), 11u);
}

TEST_F(FrontierTest, DeadHostsOutOfMemoryAreGivenUpInTheEnd) {
  options_.hosts_in_memory = 2;
  reopen();
  for (int i = 0; i < 6; ++i) add({scheduled(fmt::format("http://dead{}.example/", i))});
  size_t given_up = 0;
  for (int step = 0; !frontier_->is_empty(); ++step) {
    ASSERT_LT(step, 100'000);
    if (step % 5 == 0) commit();
    auto lease = next();
    if (!lease) {
      clock_.advance(1s);
    } else if (lease->given_up != 0) {
      ++given_up;
      settle(*lease, lease->given_up);
    } else {
      fail_host(*lease);
    }
  }
  EXPECT_EQ(given_up, 6u);
  EXPECT_EQ(frontier_->stats().hosts_given_up, 6u);
}

// A clock that was a year ahead for a while and is right again keeps nothing waiting for a year.
TEST_F(FrontierTest, AClockThatWasWrong) {
  options_.hosts_in_memory = 1;
  reopen();
  add({scheduled("http://a.example/1", "L")});
  add({scheduled("http://b.example/1", "L")});
  commit();
  clock_.jump_wall(clock_.wall() + 24h * 365);
  settle(*next_whenever());
  commit();
  clock_.jump_wall(clock_.wall() - 24h * 365);
  add({scheduled("http://c.example/1", "L")});
  std::set<std::string> urls;
  for (int step = 0; !frontier_->is_empty() && step < 5000; ++step) {
    if (auto lease = next()) {
      settle(*lease);
      urls.insert(lease->candidate.url);
    } else {
      clock_.advance(1s);
    }
    commit();
  }
  EXPECT_TRUE(frontier_->is_empty());
  EXPECT_TRUE(urls.contains("http://c.example/1"));
}

TEST_F(FrontierTest, RetriesAndRobotsSurviveADeath) {
  add({scheduled("http://a.example/x", "L")});
  settle(*next_whenever());
  Disposition robots;
  robots.lease = *next_whenever();
  robots.robots = RobotsText{"User-agent: *\nDisallow: /private\n", clock_.wall() + 24h};
  frontier_->finish(robots);
  Disposition done;
  done.lease = *next_whenever();
  done.verdict = Verdict::retry_url;
  frontier_->finish(done);
  commit();
  reopen();
  EXPECT_EQ(frontier_->stats().queued, 1u);
  const Lease again = *next_whenever();
  EXPECT_EQ(again.kind, LeaseKind::url) << "addresses and robots.txt are still known";
  EXPECT_EQ(again.attempt, 2u);
  ASSERT_TRUE(again.robots);
  EXPECT_FALSE(again.robots->verdict("caddis", "/private/x").allowed);
}

TEST_F(FrontierTest, ListsWhatWaits) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  add({scheduled("http://a.example/3", "L")});
  EXPECT_EQ(frontier_->admin().waiting({})->urls.size(), 3u);
  ASSERT_EQ(frontier_->admin().survey(5).largest.size(), 1u);
  EXPECT_EQ(frontier_->admin().survey(5).largest.front().queued, 3u);
}

TEST(Chunk, ReadsWhatItWrites) {
  std::vector<Candidate> items(3);
  for (Candidate& item : items) {
    item.via = "http://a.example/";
    item.seed = "http://a.example/";
    item.hops = "LLL";
    item.context = "a/@href";
  }
  items[0].url = "http://a.example/one";
  items[1].url = "http://a.example/other";
  items[1].hops = "LLE";
  items[1].context = "img/@src";
  items[2].url = "https://b.example/";
  items[2].force = true;
  items[1].again = true;
  const std::string bytes = encode_chunk(items);
  const auto read = decode_chunk(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, items);
  for (size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_FALSE(decode_chunk(bytes.substr(0, cut)));
}

// Golden bytes: they are on users' disks.
TEST(Chunk, FormatIsFixed) {
  Candidate item;
  item.url = "http://a/b";
  item.via = "v";
  item.seed = "s";
  item.hops = "LE";
  item.context = "c";
  EXPECT_EQ(encode_chunk(std::span(&item, 1)), std::string("\x01\x01v\x01s\x01L\x01\x00"
                                                           "E\x00\x0ahttp://a/b\x01"
                                                           "c",
                                                           24));
}

TEST(Rows, HostFormatIsFixed) {
  Host host;
  host.name = "a";
  host.addresses.list = {"192.0.2.1"};
  host.addresses.expire = from_micros(1);
  host.failures.failures = 2;
  host.finished = 300;
  host.residence.indexed = from_micros(5);
  host.referring = 6;
  host.overrides = {.blocked = true, .retired = true, .delay = Duration(9), .budget = 20};
  auto& queue = host.queues.emplace_back(std::make_unique<Queue>());
  queue->host = &host;
  queue->origin = "http://a";
  queue->queued = 7;
  queue->finished = 8;
  queue->retries.next_number = 1;
  queue->robots.expire = from_micros(9);
  queue->robots.crawl_delay = Duration(4);
  queue->failures = {.failures = 5, .probes = 1, .suspended = true, .abandoned = -61, .retry_at = from_micros(6)};
  ClassChunks& chunks = queue->class_of(priority_class(Precedence::normal, 1));
  chunks.head = 3;
  chunks.tail = 5;
  chunks.index = 1;
  queue->usage = {.successes = 10, .responses = 11, .bytes = 300, .novel_bytes = 12, .cost = 13};
  queue->over = {Quota::server_bytes, true};
  queue->retired = true;
  const std::string row = write_host_row(host, from_micros(4), PauseReason::politeness);
  EXPECT_EQ(row, std::string("\x05\x01\x01\x09"
                             "192.0.2.1\x02\0\0\0\0\x04\xac\x02\x05\x07\x0a\x14\x06\x01\x08http://a\x07\x08\x01\0\x09"
                             "\x05\x05\x01\x01\x3d\x06\x0a\x0b\xac\x02\x0c\x0d\x07\x03\x01\x81\x03\x02\x01",
                             60));
  for (const PauseReason reason : {PauseReason::politeness, PauseReason::asked, PauseReason::bandwidth}) {
    const std::string with_reason = write_host_row(host, from_micros(4), reason);
    Host read;
    const auto from_row = read_host_row(with_reason, read);
    ASSERT_TRUE(from_row);
    EXPECT_EQ(with_reason.size(), row.size());
    EXPECT_EQ(from_row->reason, reason);
    EXPECT_EQ(write_host_row(read, from_micros(4), PauseReason::politeness), row);
  }
  for (size_t cut = 0; cut < row.size(); ++cut) {
    Host damaged;
    EXPECT_FALSE(read_host_row(row.substr(0, cut), damaged)) << cut;
  }
}

TEST(Rows, SmallFormatsAreFixed) {
  const Usage usage{.successes = 1, .responses = 2, .bytes = 300, .novel_bytes = 3, .cost = 4};
  EXPECT_EQ(write_usage(usage), std::string("\x01\x01\x02\xac\x02\x03\x04", 7));
  EXPECT_EQ(*read_usage(write_usage(usage)), usage);
  EXPECT_FALSE(read_usage("\x01\x01"));
  Candidate item;
  item.url = "u";
  const std::string retry = write_retry_row({item, 3, 4});
  EXPECT_EQ(retry.substr(0, 3), "\x02\x03\x04");
  EXPECT_EQ(retry.substr(3), encode_chunk(std::span(&item, 1)));
  EXPECT_EQ(read_retry_row(retry)->times, 4u);
  Totals totals;
  totals.queued = 5;
  totals.queued_retired = 4;
  totals.edits = 6;
  totals.over_patterns = 7;
  totals.queued_over = 3;
  EXPECT_EQ(write_totals(totals), std::string("\x03\x05\0\0\0\0\0\0\0\0\0\x04\x06\x07\x03", 15));
  EXPECT_EQ(*read_totals(write_totals(totals)), totals);
  EXPECT_EQ(over_key(0x102, "a.example"),
            "over:\x01\x02"
            "a.example");
}

TEST_F(FrontierTest, WhatIsForgottenIsAskedForAgain) {
  add({scheduled("http://b.test/1"), scheduled("http://b.test/2", "L"), scheduled("http://b.test/3", "L")});
  for (const LeaseKind kind : {LeaseKind::dns, LeaseKind::robots, LeaseKind::url}) {
    const Lease lease = *next_whenever();
    EXPECT_EQ(lease.kind, kind);
    settle(lease);
  }
  commit();
  reopen();
  ASSERT_TRUE(frontier_->admin().forget(LeaseKind::robots, "b.test", "http://b.test"));
  const Lease robots = *next_whenever();
  EXPECT_EQ(robots.candidate.url, "http://b.test/robots.txt");
  settle(robots);
  EXPECT_EQ(next_whenever()->kind, LeaseKind::url);
  reopen();
  ASSERT_TRUE(frontier_->admin().forget(LeaseKind::dns, "b.test", ""));
  EXPECT_EQ(next_whenever()->candidate.url, "dns:b.test");
}

TEST_F(FrontierTest, AHostThatWasGivenUpIsForgottenWithItsReason) {
  add({scheduled("http://a.test/1")});
  Disposition hopeless;
  hopeless.lease = *next_whenever();
  hopeless.verdict = Verdict::host_failed;
  hopeless.host_is_hopeless = true;
  frontier_->finish(hopeless);
  EXPECT_EQ(frontier_->stats().hosts_given_up, 1u);
  ASSERT_TRUE(frontier_->admin().forget(LeaseKind::dns, "a.test", ""));
  EXPECT_EQ(frontier_->stats().hosts_given_up, 0u);
  EXPECT_EQ(next_whenever()->kind, LeaseKind::dns);
}

TEST(Politeness, FollowsHeritrixDefaults) {
  PolitenessSettings settings;
  EXPECT_EQ(politeness_delay(settings, 100ms, {}), Duration(3s));
  EXPECT_EQ(politeness_delay(settings, 2s, {}), Duration(10s));
  EXPECT_EQ(politeness_delay(settings, 60s, {}), Duration(30s));
  EXPECT_EQ(politeness_delay(settings, 100ms, Duration(40s)), Duration(40s));
  EXPECT_EQ(politeness_delay(settings, 100ms, Duration(1h)), Duration(300s));
  settings.delay = Duration(0);
  EXPECT_EQ(politeness_delay(settings, 60s, {}), Duration(0));
  EXPECT_EQ(politeness_delay(settings, 60s, Duration(1s)), Duration(1s));
  EXPECT_EQ(backoff(10s, 15min, 1), Duration(10s));
  EXPECT_EQ(backoff(10s, 15min, 3), Duration(40s));
  EXPECT_EQ(backoff(10s, 15min, 30), Duration(15min));
}

}  // namespace
}  // namespace caddis::frontier
