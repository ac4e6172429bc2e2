#include "caddis/frontier/slots.h"

#include <gtest/gtest.h>

#include <set>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

// Groups of hosts for which the same settings hold.
struct Groups {
  PolitenessSettings settings;
  PolitenessGroups made = *PolitenessGroups::create(settings);
  std::string named(std::string_view host) const { return made.named(host); }
  std::string of(std::string_view host, std::string_view address) const { return made.of(host, address, settings); }
};

Groups groups(std::vector<std::string> lines, GroupAssignment together = GroupAssignment::host) {
  PolitenessSettings settings;
  settings.groups = std::move(lines);
  settings.group_assignment = together;
  return {settings};
}

TEST(PolitenessGroups, NamedByHostOrSuffix) {
  const auto some = groups({"blogs: *.blogs.example www.other.example", "one:One.blogs.example *.deep.blogs.example"});
  EXPECT_EQ(some.named("a.blogs.example"), "blogs");
  EXPECT_EQ(some.named("blogs.example"), "");
  EXPECT_EQ(some.named("www.other.example"), "blogs");
  EXPECT_EQ(some.named("x.other.example"), "");
  EXPECT_EQ(some.named("one.blogs.example"), "one");
  EXPECT_EQ(some.named("x.deep.blogs.example"), "one");
}

TEST(PolitenessGroups, BadLinesAreRefused) {
  for (const char* line :
       {"", "name", "name:", ": a.example", "name: a.example a.example", "name: http://a.example/", "n: *"}) {
    PolitenessSettings settings;
    settings.groups = {line};
    const auto made = PolitenessGroups::create(settings);
    ASSERT_FALSE(made) << line;
    EXPECT_NE(made.error().message.find("politeness.groups"), std::string::npos);
  }
}

TEST(PolitenessGroups, ByDomainOrAddress) {
  EXPECT_EQ(groups({}).of("a.b.co.uk", "192.0.2.1"), "");
  EXPECT_EQ(groups({}, GroupAssignment::domain).of("a.b.co.uk", "192.0.2.1"), "b.co.uk");
  EXPECT_EQ(groups({}, GroupAssignment::address).of("a.b.co.uk", "192.0.2.1"), "ip 192.0.2.1");
  EXPECT_EQ(groups({}, GroupAssignment::address).of("x", "2001:db8:1:2:3::4"),
            groups({}, GroupAssignment::address).of("y", "2001:db8:1:2::9"));
  EXPECT_NE(groups({}, GroupAssignment::address).of("x", "2001:db8:1:2::1"),
            groups({}, GroupAssignment::address).of("y", "2001:db8:1:3::1"));
}

TEST(PolitenessGroups, ByTheLastLabels) {
  PolitenessSettings settings;
  settings.group_assignment = GroupAssignment::labels;
  const auto of = [&](int64_t labels, std::string_view host) {
    settings.labels = labels;
    return Groups{settings}.of(host, "192.0.2.1");
  };
  EXPECT_EQ(of(2, "a.b.example.org"), "example.org");
  EXPECT_EQ(of(3, "a.b.example.org"), "b.example.org");
  EXPECT_EQ(of(3, "example.org"), "example.org");
  EXPECT_EQ(of(1, "localhost"), "localhost");
  EXPECT_EQ(of(1, "a.b"), "b");
  EXPECT_EQ(of(1, "192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(of(1, "[2001:db8::1]"), "[2001:db8::1]");
}

TEST(PolitenessGroups, ByBuckets) {
  PolitenessSettings settings;
  settings.group_assignment = GroupAssignment::bucket;
  settings.buckets = 7;
  settings.groups = {"mine: a.example"};
  const Groups some{settings};
  std::set<std::string> buckets;
  for (int i = 0; i < 200; ++i) {
    const std::string host = "h" + std::to_string(i) + ".example";
    buckets.insert(some.of(host, "192.0.2.1"));
    EXPECT_EQ(some.of(host, "192.0.2.1"), some.of(host, "192.0.2.2"));
  }
  EXPECT_EQ(buckets.size(), 7u);
  EXPECT_EQ(some.of("a.example", ""), "mine");
  // The same after a restart.
  EXPECT_EQ(some.of("www.example.org", ""), "bucket 6");
}

class SlotsTest : public FrontierTest {
 protected:
  void open_with(const std::function<void(PolitenessSettings&)>& change) {
    options_.obey_robots = false;
    change(options_.politeness);
    reopen();
  }
  // Visits that run at the same time, DNS answered at once.
  std::vector<Lease> begin_all() {
    std::vector<Lease> begun;
    while (auto lease = next()) {
      if (lease->kind == LeaseKind::dns)
        settle(*lease);
      else
        begun.push_back(*std::move(lease));
    }
    return begun;
  }
  void settle_with(const Lease& lease, uint64_t bytes, Duration took = 100ms) {
    Disposition done;
    done.lease = lease;
    done.status = 200;
    done.fetch_time = took;
    done.bytes = bytes;
    frontier_->finish(done);
  }
  std::vector<ScheduledUrl> pages(const std::string& host, int count) {
    std::vector<ScheduledUrl> made;
    for (int i = 0; i < count; ++i) made.push_back(scheduled("http://" + host + "/" + std::to_string(i), "L"));
    return made;
  }
};

TEST_F(SlotsTest, HostsOfAGroupAreVisitedOneByOneAndShareThePause) {
  open_with([](auto& politeness) { politeness.groups = {"server: *.blogs.example"}; });
  for (const char* host : {"a.blogs.example", "b.blogs.example", "c.blogs.example"})
    add({scheduled(std::string("http://") + host + "/", "L")});
  add({scheduled("http://alone.example/", "L")});
  auto begun = begin_all();
  ASSERT_EQ(begun.size(), 2u);
  settle(begun[0]);
  settle(begun[1]);
  EXPECT_TRUE(begin_all().empty());
  clock_.advance(3s);
  begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  settle(begun[0]);
  EXPECT_EQ(run_dry().size(), 1u);
  EXPECT_TRUE(frontier_->is_empty());
}

// Each has its turn: who has just been visited stands behind those that wait.
TEST_F(SlotsTest, HostsOfAGroupAreVisitedInTurn) {
  for (const bool by_address : {false, true}) {
    SCOPED_TRACE(by_address);
    open_with([&](auto& politeness) {
      politeness.groups = {};
      politeness.group_assignment = GroupAssignment::host;
      politeness.delay = 1s;
      politeness.address_delay = by_address ? 3s : 0s;
      politeness.max_per_address = by_address ? 1 : 8;
      if (!by_address) politeness.groups = {"server: *.blogs.example"};
    });
    const std::string name = by_address ? "x" : "y";
    const std::vector<std::string> hosts = {name + "1.blogs.example", name + "2.blogs.example",
                                            name + "3.blogs.example"};
    for (const std::string& host : hosts) add(pages(host, 4));
    std::vector<std::string> visited;
    while (auto lease = next_whenever()) {
      if (lease->kind == LeaseKind::url) visited.push_back(lease->host);
      settle(*lease);
    }
    ASSERT_EQ(visited.size(), 12u);
    for (size_t i = 0; i < visited.size(); i += 3) {
      EXPECT_EQ(std::set<std::string>(visited.begin() + static_cast<ptrdiff_t>(i),
                                      visited.begin() + static_cast<ptrdiff_t>(i) + 3),
                std::set<std::string>(hosts.begin(), hosts.end()))
          << i;
    }
  }
}

TEST_F(SlotsTest, APauseThatIsSharedIsToldAsSuch) {
  open_with([](auto& politeness) {
    politeness.groups = {"server: *.blogs.example"};
    politeness.address_delay = 7s;
    politeness.host_bandwidth = 1000;
    politeness.max_per_address = 1;
  });
  const auto state_of = [&](const std::string& host) { return frontier_->admin().explain_host(host)->queues.front(); };
  add(pages("a.blogs.example", 2));
  auto begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  settle_with(begun[0], 5000);
  EXPECT_EQ(state_of("a.blogs.example").state, QueueState::host_bandwidth);
  add(pages("b.blogs.example", 1));
  add(pages("alone.example", 1));
  EXPECT_TRUE(begin_all().empty());
  EXPECT_EQ(state_of("b.blogs.example").state, QueueState::group_busy);
  EXPECT_EQ(state_of("b.blogs.example").wait, Duration(5s));
  EXPECT_EQ(state_of("alone.example").state, QueueState::address_busy);
  EXPECT_EQ(state_of("alone.example").wait, Duration(7s));
}

// Groups are in no row: a crawl that is resumed with other ones has all hosts in them.
TEST_F(SlotsTest, OtherLabelsAndBucketsCountFromTheNextStart) {
  open_with([](auto& politeness) {
    politeness.group_assignment = GroupAssignment::labels;
    politeness.labels = 2;
  });
  for (const char* host : {"a.example.org", "b.example.org", "c.example.org"})
    add({scheduled(std::string("http://") + host + "/", "L")});
  commit();
  EXPECT_EQ(begin_all().size(), 1u);
  open_with([](auto& politeness) { politeness.labels = 3; });
  clock_.advance(1h);
  EXPECT_EQ(begin_all().size(), 3u);
  for (const auto& [buckets, at_once] : {std::pair(1, 1u), std::pair(1'000'000, 3u)}) {
    open_with([buckets](auto& politeness) {
      politeness.group_assignment = GroupAssignment::bucket;
      politeness.buckets = buckets;
    });
    clock_.advance(1h);
    EXPECT_EQ(begin_all().size(), at_once);
  }
}

// Who is called to a free slot and has nothing to visit there any more does not keep it from the others.
TEST_F(SlotsTest, AGroupGoesOnWhenTheNextInLineIsTakenAway) {
  open_with([](auto& politeness) { politeness.group_assignment = GroupAssignment::domain; });
  for (const char* host : {"a.example.org", "b.example.org", "c.example.org", "d.example.org"})
    add({scheduled(std::string("http://") + host + "/", "L")});
  const auto begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  settle(begun[0]);
  std::vector<std::string> others;
  for (const char* host : {"a.example.org", "b.example.org", "c.example.org", "d.example.org"})
    if (begun[0].host != host) others.push_back(host);
  ASSERT_TRUE(frontier_->admin().erase({.host = others[0]}));
  ASSERT_TRUE(frontier_->admin().set_overrides(others[1], {.retired = true}));
  EXPECT_EQ(run_dry(), std::vector<std::string>{"http://" + others[2] + "/"});
}

TEST_F(SlotsTest, SeveralVisitsOfAHostWhereThatIsAllowed) {
  open_with([](auto& politeness) { politeness.visits_per_host = 3; });
  add(pages("a.example", 10));
  auto begun = begin_all();
  ASSERT_EQ(begun.size(), 3u);
  std::set<std::string> urls;
  for (const Lease& lease : begun) urls.insert(lease.candidate.url);
  EXPECT_EQ(urls.size(), 3u);
  settle(begun[1]);
  EXPECT_TRUE(begin_all().empty());
  clock_.advance(1s);  // a third of the delay
  ASSERT_EQ(begin_all().size(), 1u);
  EXPECT_EQ(frontier_->stats().queued, 9u);
}

// What is out when the crawler dies is visited again, and nothing else.
TEST_F(SlotsTest, SeveralVisitsSurviveADeath) {
  open_with([](auto& politeness) { politeness.visits_per_host = 3; });
  add(pages("a.example", 6));
  const auto begun = begin_all();
  ASSERT_EQ(begun.size(), 3u);
  settle(begun[2]);
  commit();
  reopen();
  std::set<std::string> urls;
  for (const std::string& url : run_dry()) urls.insert(url);
  EXPECT_FALSE(urls.contains(begun[2].candidate.url));
  EXPECT_TRUE(urls.contains(begun[0].candidate.url));
  EXPECT_EQ(urls.size(), 5u);
  EXPECT_TRUE(frontier_->is_empty());
}

TEST_F(SlotsTest, AReturnedVisitStandsWhereItStood) {
  open_with([](auto& politeness) { politeness.visits_per_host = 2; });
  add(pages("a.example", 3));
  const auto begun = begin_all();
  ASSERT_EQ(begun.size(), 2u);
  Disposition returned;
  returned.lease = begun[0];
  returned.verdict = Verdict::returned;
  returned.touched_host = false;
  frontier_->finish(returned);
  settle(begun[1]);
  EXPECT_EQ(run_dry().size(), 2u);
}

TEST_F(SlotsTest, ABatchOwesItsPausesTogether) {
  open_with([](auto& politeness) { politeness.batch = 3; });
  add(pages("a.example", 4));
  for (int i = 0; i < 3; ++i) {
    const auto begun = begin_all();
    ASSERT_EQ(begun.size(), 1u) << i;
    settle(begun[0]);
  }
  EXPECT_FALSE(next());
  EXPECT_EQ(*frontier_->next_due() - clock_.steady(), Duration(9s));
}

TEST_F(SlotsTest, BandwidthOfAHostAndOfAll) {
  open_with([](auto& politeness) {
    politeness.host_bandwidth = 1000;
    politeness.bandwidth = 10'000;
  });
  add(pages("a.example", 2));
  add(pages("b.example", 1));
  add(pages("c.example", 1));
  // Each pays for 16 KB when it begins, at 10,000 bytes a second: the next may begin after 1.6384 s.
  auto begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  EXPECT_EQ(*frontier_->next_due() - clock_.steady(), Duration(1638400us));
  EXPECT_TRUE(frontier_->admin().survey(0).states.for_bandwidth);
  // The rest of what it brought is paid for when it ends; a host then waits for its own bytes, too.
  settle_with(begun[0], 20'000);
  EXPECT_EQ(*frontier_->next_due() - clock_.steady(), Duration(2s));
  clock_.advance(2s);
  begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  // One that brings less gets back what it has paid for too much: 16,610 bytes were the mean.
  settle_with(begun[0], 0);
  begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  settle_with(begun[0], 0);
  clock_.advance(1s);
  EXPECT_TRUE(begin_all().empty());
  EXPECT_EQ(*frontier_->next_due() - clock_.steady(), Duration(17s));
}

TEST_F(SlotsTest, ABandwidthWithoutLimitForgivesWhatIsOwed) {
  open_with([](auto& politeness) {
    politeness.host_bandwidth = 1000;
    politeness.bandwidth = 1000;
  });
  add(pages("a.example", 2));
  auto begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  settle_with(begun[0], 1'000'000);
  EXPECT_GT(*frontier_->next_due() - clock_.steady(), Duration(900s));
  // That of all alone: the host goes on paying for its own.
  PolitenessSettings politeness = options_.politeness;
  politeness.bandwidth = 0;
  set_politeness(politeness);
  EXPECT_EQ(*frontier_->next_due() - clock_.steady(), Duration(1000s));
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().state, QueueState::host_bandwidth);
  add(pages("b.example", 1));
  begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  EXPECT_EQ(begun[0].host, "b.example");
  // What is owed to its own ends when it is woken.
  politeness.host_bandwidth = 0;
  set_politeness(politeness);
  EXPECT_EQ(*frontier_->next_due() - clock_.steady(), Duration(1000s));
  ASSERT_TRUE(frontier_->admin().wake("a.example"));
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().state, QueueState::politeness);
  EXPECT_LE(*frontier_->next_due() - clock_.steady(), options_.politeness.max_delay);
  settle_with(begun[0], 1'000'000);
  clock_.advance(options_.politeness.max_delay);
  EXPECT_EQ(begin_all().size(), 1u);
}

TEST_F(SlotsTest, AnAddressHasAPauseWhereOneIsSet) {
  open_with([](auto& politeness) { politeness.address_delay = 7s; });
  add(pages("a.example", 1));
  auto begun = begin_all();
  ASSERT_EQ(begun.size(), 1u);
  settle(begun[0]);
  add(pages("b.example", 1));
  EXPECT_TRUE(begin_all().empty());
  EXPECT_EQ(*frontier_->next_due() - clock_.steady(), Duration(7s));
}

}  // namespace
}  // namespace caddis::frontier
