#include <fmt/format.h>

#include <set>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

// The same with all hosts in memory, and with room for one.
class OperateTest : public FrontierTest, public ::testing::WithParamInterface<size_t> {
 protected:
  OperateTest() {
    options_.hosts_in_memory = GetParam();
    reopen();
  }
  void add_pages(int hosts, int pages) {
    for (int host = 0; host < hosts; ++host) {
      std::vector<ScheduledUrl> found;
      for (int page = 0; page < pages; ++page)
        found.push_back(scheduled(fmt::format("http://h{}.example/{}", host, page), page % 2 == 0 ? "L" : "E"));
      add(found);
      add({scheduled(fmt::format("http://h{}.example/late", host), "L", "http://elsewhere.example/")});
    }
  }
  std::multiset<std::string> waiting() {
    std::multiset<std::string> urls;
    for (const WaitingUrl& url : frontier_->admin().waiting({.limit = 10'000})->urls) urls.insert(url.candidate.url);
    EXPECT_EQ(urls.size(), frontier_->stats().queued);
    return urls;
  }
  static WaitingQuery containing(const std::string& part, const std::string& host = "") {
    WaitingQuery query;
    query.host = host;
    query.match = [part](const Candidate& what) { return what.url.contains(part); };
    return query;
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
  // All that is left, with commits in between; URLs in the order in which they were settled, and their statuses.
  std::multiset<std::string> finish_all() {
    std::multiset<std::string> urls;
    for (int step = 0; !frontier_->is_empty(); ++step) {
      EXPECT_LT(step, 20'000);
      if (step >= 20'000) break;
      if (auto lease = next()) {
        if (lease->kind == LeaseKind::url) urls.insert(fmt::format("{} {}", lease->candidate.url, lease->given_up));
        settle(*lease);
      } else {
        clock_.advance(1s);
      }
      if (step % 3 == 0) commit();
    }
    return urls;
  }
};

TEST_P(OperateTest, DeletesByHostAndByPattern) {
  add_pages(5, 4);
  commit();
  EXPECT_EQ(frontier_->admin().erase(containing("/1", "h0.example"))->urls, 1u);
  EXPECT_EQ(frontier_->admin().erase(containing("/late"))->urls, 5u);
  EXPECT_EQ(frontier_->admin().erase(containing("nowhere"))->urls, 0u);
  WaitingQuery whole;
  whole.host = "h4.example";
  EXPECT_EQ(frontier_->admin().erase(whole)->urls, 4u);
  commit();
  EXPECT_EQ(waiting().size(), 5u * 5 - 1 - 5 - 4);
  reopen();
  EXPECT_EQ(waiting().size(), 15u);
  EXPECT_EQ(add({scheduled("http://h4.example/0", "L")}), 0u) << "what was deleted stays seen";
  EXPECT_EQ(finish_all().size(), 15u);
}

// A queue of many chunks, some of which become empty, while its first URL is being visited.
TEST_P(OperateTest, DeletesAroundAVisit) {
  for (int page = 0; page < 20; ++page)
    add({scheduled(fmt::format("http://a.example/{}", page), "L", fmt::format("http://v.example/{}", page)),
         scheduled(fmt::format("http://a.example/x{}", page), "L", fmt::format("http://v.example/{}", page))});
  settle(*next_whenever());
  settle(*next_whenever());
  const Lease first = *next_whenever();
  ASSERT_EQ(first.candidate.url, "http://a.example/0");
  WaitingQuery even;
  even.match = [](const Candidate& what) { return what.url.ends_with('0') || what.url.ends_with('2'); };
  EXPECT_EQ(frontier_->admin().erase(even)->urls, 7u) << "0, 10, 2, 12 and with an x; 0 is out";
  commit();
  settle(first);
  commit();
  reopen();
  EXPECT_EQ(waiting().size(), 32u);
  EXPECT_EQ(finish_all().size(), 32u);
}

TEST_P(OperateTest, DeletesRetries) {
  add({scheduled("http://a.example/bad", "L"), scheduled("http://a.example/good", "L")});
  settle(*next_whenever());
  settle(*next_whenever());
  Disposition done;
  done.lease = *next_whenever();
  done.verdict = Verdict::retry_url;
  frontier_->finish(done);
  commit();
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().retries, 1u);
  EXPECT_EQ(frontier_->admin().erase(containing("bad"))->urls, 1u);
  EXPECT_EQ(finish_all(), std::multiset<std::string>{"http://a.example/good 0"});
}

TEST_P(OperateTest, ListsInPartsAndSaysWhenAMarkerNoLongerHolds) {
  add_pages(4, 6);
  commit();
  std::multiset<std::string> urls;
  WaitingQuery query;
  query.limit = 5;
  query.rows = 3;
  int parts = 0;
  do {
    const auto page = frontier_->admin().waiting(query);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_LE(page->urls.size(), 5u);
    for (const WaitingUrl& url : page->urls) urls.insert(url.candidate.url);
    query.cursor = page->cursor;
    ASSERT_LT(++parts, 50);
  } while (!query.cursor.empty());
  EXPECT_EQ(urls, waiting());
  EXPECT_GT(parts, 5);

  query.limit = 1;
  query.cursor = frontier_->admin().waiting(query)->cursor;
  ASSERT_TRUE(frontier_->admin().waiting(query));
  EXPECT_EQ(frontier_->admin().erase(containing("h3.example/1"))->urls, 1u);
  const auto gone = frontier_->admin().waiting(query);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::not_found);
  query.nearest = true;
  EXPECT_TRUE(frontier_->admin().waiting(query)->moved);
  query.cursor = "nonsense";
  EXPECT_EQ(frontier_->admin().waiting(query).error().code, ErrorCode::parse);
}

// The crawl visits what the marker names, and all of its row: the list goes on with what comes then.
TEST_P(OperateTest, ListsOnFromTheNearestPlaceWhenOvertaken) {
  add_pages(4, 6);
  commit();
  std::set<std::string> listed;
  WaitingQuery query;
  query.limit = 3;
  int parts = 0, moved = 0;
  do {
    query.nearest = true;
    const auto page = frontier_->admin().waiting(query);
    ASSERT_TRUE(page) << page.error().message;
    for (const WaitingUrl& url : page->urls) listed.insert(url.candidate.url);
    moved += page->moved ? 1 : 0;
    query.cursor = page->cursor;
    query.nearest = false;
    for (int visits = 0; parts == 0 && frontier_->admin().waiting(query); ++visits) {
      ASSERT_LT(visits, 100);
      settle(take());
      commit();
    }
    ASSERT_LT(++parts, 50);
  } while (!query.cursor.empty());
  EXPECT_EQ(moved, 1);
  EXPECT_FALSE(waiting().empty());
  for (const std::string& url : waiting()) EXPECT_TRUE(listed.contains(url)) << url << " waited all the time";
}

TEST_P(OperateTest, DeletesInPartsWhateverThePartsBeforeDeleted) {
  add_pages(6, 8);
  commit();
  WaitingQuery query = containing("/");
  query.rows = 3;
  uint64_t erased = 0;
  int parts = 0;
  do {
    const auto part = frontier_->admin().erase(query);
    ASSERT_TRUE(part) << part.error().message;
    erased += part->urls;
    query.cursor = part->cursor;
    commit();  // what the marker names may go with it
    ASSERT_LT(++parts, 50);
  } while (!query.cursor.empty());
  EXPECT_EQ(erased, 6u * 9);
  EXPECT_TRUE(waiting().empty());

  add({scheduled("http://a.example/1", "L"), scheduled("http://b.example/1", "L"),
       scheduled("http://c.example/1", "L")});
  commit();
  query.rows = 1;
  query.cursor = frontier_->admin().erase(query)->cursor;
  ASSERT_FALSE(query.cursor.empty());
  EXPECT_EQ(frontier_->admin().erase(containing("c.example"))->urls, 1u);
  EXPECT_EQ(frontier_->admin().erase(query).error().code, ErrorCode::not_found) << "another has deleted meanwhile";
}

// A review of the scope: in parts, whatever is visited and found between them, and with nothing left of what is meant.
TEST_P(OperateTest, SweepsInPartsWhileTheCrawlGoesOn) {
  for (int host = 0; host < 4; ++host)
    for (int chunk = 0; chunk < 40; ++chunk) {
      std::vector<ScheduledUrl> found;
      for (int page = 0; page < 1 + chunk % 3; ++page) {
        const bool is_bad = chunk % 2 == 0 || page == 1;
        found.push_back(scheduled(fmt::format("http://h{}.example/{}{}-{}", host, is_bad ? "bad" : "good", chunk, page),
                                  chunk % 5 == 0 ? "E" : "L", fmt::format("http://h{}.example/page{}", host, chunk)));
      }
      add(found);
    }
  const auto before = waiting();
  std::set<std::string> visited, erased, good;
  for (const std::string& url : before)
    if (!url.contains("bad")) good.insert(url);
  WaitingQuery query = containing("bad");
  query.gone = [&](const Candidate& gone, const std::string& host) {
    EXPECT_TRUE(gone.url.contains(host));
    EXPECT_TRUE(erased.insert(gone.url).second) << gone.url;
  };
  std::optional<Lease> running;
  int parts = 0, rows = 0;
  uint64_t asked = 0, counted = 0;
  const auto is_enough = [&rows] { return ++rows % 7 == 0; };
  do {
    const auto part = frontier_->admin().sweep(query, is_enough);
    ASSERT_TRUE(part) << part.error().message;
    asked += part->asked;
    counted += part->erased;
    query.cursor = part->cursor;
    if (parts % 2 == 0) commit();
    if (running) {
      settle(*running);
      running.reset();
    } else if ((running = next()) && running->kind == LeaseKind::url) {
      visited.insert(running->candidate.url);
    } else if (!running) {
      clock_.advance(30s);
    }
    if (parts == 5) add({scheduled("http://h1.example/good-late", "L"), scheduled("http://h9.example/good", "L")});
    ASSERT_LT(++parts, 2000);
  } while (!query.cursor.empty());
  if (running) settle(*running);
  EXPECT_GT(parts, 10);
  EXPECT_EQ(counted, erased.size());
  EXPECT_GE(asked, erased.size());
  good.insert({"http://h1.example/good-late", "http://h9.example/good"});
  for (const std::string& url : waiting()) EXPECT_TRUE(good.contains(url)) << url;
  for (const std::string& url : visited) {
    good.erase(url);
    EXPECT_FALSE(erased.contains(url)) << url;
  }
  std::multiset<std::string> left = waiting();
  EXPECT_EQ((std::set<std::string>(left.begin(), left.end())), good);
  EXPECT_EQ(left.size(), good.size());
  EXPECT_EQ(finish_all().size(), good.size());
}

TEST_P(OperateTest, BlockedHostsAreGivenUp) {
  add_pages(3, 2);
  commit();
  ASSERT_TRUE(frontier_->admin().set_overrides("h1.example", {.blocked = true}));
  commit();
  reopen();
  EXPECT_TRUE(frontier_->admin().overrides("h1.example")->blocked);
  add({scheduled("http://h1.example/new", "L")});
  const auto urls = finish_all();
  EXPECT_EQ(urls.size(), 10u);
  EXPECT_TRUE(urls.contains("http://h1.example/new -5001"));
  EXPECT_TRUE(urls.contains("http://h1.example/0 -5001"));
  EXPECT_TRUE(urls.contains("http://h2.example/0 0"));
}

TEST_P(OperateTest, RetiredHostsWaitUntilTheyAreTakenUpAgain) {
  add_pages(3, 2);
  commit();
  ASSERT_TRUE(frontier_->admin().set_overrides("h1.example", {.retired = true}));
  EXPECT_EQ(finish_all().size(), 6u) << "a crawl ends, though a retired host has URLs";
  commit();
  reopen();
  add({scheduled("http://h1.example/new", "L")});
  EXPECT_TRUE(finish_all().empty());
  commit();
  EXPECT_EQ(frontier_->stats().queued_retired, 4u);
  ASSERT_EQ(frontier_->admin().explain_host("h1.example")->queues.size(), 1u);
  EXPECT_EQ(frontier_->admin().explain_host("h1.example")->queues.front().state, QueueState::retired);
  ASSERT_TRUE(frontier_->admin().set_overrides("h1.example", {}));
  EXPECT_EQ(frontier_->stats().queued_retired, 0u);
  EXPECT_EQ(finish_all().size(), 4u);
}

// Whoever is to be told about it is not the same.
TEST_P(OperateTest, TellsAServerWithoutRobotsFromOneThatIsNotThere) {
  add({scheduled("http://a.example/1", "L")});
  settle(*next_whenever());  // DNS
  for (const auto& [status, state] :
       {std::pair(-2, QueueState::no_connection), std::pair(503, QueueState::no_robots)}) {
    const Lease robots = *next_whenever();
    ASSERT_EQ(robots.kind, LeaseKind::robots);
    fail_host(robots, status);
    EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().state, state);
    commit();
    reopen();
    EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().state, state);
  }
}

TEST_P(OperateTest, RetiredHostsThatAreBlockedAreGivenUp) {
  add_pages(2, 2);
  commit();
  ASSERT_TRUE(frontier_->admin().set_overrides("h1.example", {.retired = true}));
  EXPECT_EQ(finish_all().size(), 3u);
  commit();
  reopen();
  ASSERT_TRUE(frontier_->admin().set_overrides("h1.example", {.blocked = true, .retired = true}));
  EXPECT_EQ(frontier_->stats().queued_retired, 0u);
  EXPECT_EQ(frontier_->admin().explain_host("h1.example")->queues.front().state, QueueState::blocked);
  const auto given_up = finish_all();
  EXPECT_EQ(given_up.size(), 3u);
  for (const std::string& visit : given_up) EXPECT_TRUE(visit.ends_with(" -5001")) << visit;
}

TEST_P(OperateTest, OneOriginIsRetiredAlone) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example:81/1", "L")});
  add({scheduled("http://b.example/1", "L")});
  commit();
  EXPECT_EQ(frontier_->admin().retire_queue("a.example", "http://a.example:82", true).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(frontier_->admin().retire_queue("never.example", "http://never.example", true).error().code,
            ErrorCode::not_found);
  ASSERT_TRUE(frontier_->admin().retire_queue("a.example", "http://a.example:81", true));
  commit();
  reopen();
  EXPECT_EQ(frontier_->stats().queued_retired, 1u);
  add({scheduled("http://a.example:81/2", "L")});
  EXPECT_EQ(finish_all(), (std::multiset<std::string>{"http://a.example/1 0", "http://b.example/1 0"}));
  EXPECT_EQ(frontier_->stats().queued_retired, 2u);
  ASSERT_TRUE(frontier_->admin().retire_queue("a.example", "http://a.example:81", false));
  EXPECT_EQ(frontier_->stats().queued_retired, 0u);
  EXPECT_EQ(finish_all().size(), 2u);
}

TEST_P(OperateTest, ABudgetOfItsOwn) {
  add({scheduled("http://a.example/0", "L")});
  ASSERT_TRUE(frontier_->admin().set_overrides("a.example", {.budget = 3}));
  const auto found = [&](int from) {
    std::vector<ScheduledUrl> links;
    for (int i = from; i < from + 5; ++i) links.push_back(scheduled(fmt::format("http://a.example/{}", i), "L"));
    for (ScheduledUrl& link : links) add({link});
  };
  found(1);
  EXPECT_EQ(frontier_->stats().queued, 3u);
  EXPECT_EQ(frontier_->stats().over_host_budget, 3u);
  ASSERT_TRUE(frontier_->admin().set_overrides("a.example", {.budget = 0}));
  found(10);
  EXPECT_EQ(frontier_->stats().queued, 8u);
}

TEST_P(OperateTest, ADelayOfItsOwn) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L"),
       scheduled("http://a.example/3", "L")});
  ASSERT_TRUE(frontier_->admin().set_overrides("a.example", {.delay = 50s}));
  settle(*next_whenever());
  settle(*next_whenever());
  EXPECT_FALSE(next());
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().state, QueueState::politeness);
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().wait, Duration(50s));
  clock_.advance(50s);
  commit();  // whoever waits long has left memory
  const auto second = next();
  ASSERT_TRUE(second);
  settle(*second);
  ASSERT_TRUE(frontier_->admin().set_overrides("a.example", {.delay = 1s}));
  clock_.advance(1s);
  commit();
  EXPECT_TRUE(next()) << "a shorter one counts at once";
}

TEST_P(OperateTest, WakesWhatWaitsForItsNextTry) {
  add({scheduled("http://a.example/", "L")});
  settle(take());
  for (int i = 0; i < 5; ++i) fail_host(take());
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().state, QueueState::suspended);
  clock_.advance(30s);
  add({scheduled("http://b.example/", "L")});  // otherwise there is a last probe at once
  const auto before = frontier_->admin().explain_host("a.example")->queues.front();
  EXPECT_GT(before.wait, 10min);
  EXPECT_EQ(frontier_->admin().wake("a.example")->hosts, 1u);
  EXPECT_EQ(frontier_->admin().wake("unknown.example")->hosts, 0u);
  EXPECT_EQ(frontier_->admin().explain_host("a.example")->queues.front().wait, Duration(0));
  EXPECT_EQ(frontier_->admin().wake("")->hosts, 0u) << "there is nothing more to wake";
  EXPECT_EQ(frontier_->admin().wake("", "xyz").error().code, ErrorCode::parse);
}

TEST_P(OperateTest, WakesAllHostsInParts) {
  constexpr int kHosts = 20;
  for (int host = 0; host < kHosts; ++host) add({scheduled(fmt::format("http://h{}.example/", host), "L")});
  for (int busy = 0; busy < kHosts;) {
    const Lease lease = take();
    if (lease.kind != LeaseKind::url) {
      settle(lease);
      continue;
    }
    Disposition later;
    later.lease = lease;
    later.verdict = Verdict::retry_url;
    later.status = 503;
    later.retry_after = 15min;
    frontier_->finish(later);
    ++busy;
    const auto known = *frontier_->admin().explain_host(lease.host);
    EXPECT_EQ(known.queues.front().state, QueueState::asked_to_wait);
  }
  commit();
  // Out of memory, and after a restart, it is still known why.
  reopen();
  for (int host = 0; host < kHosts; ++host)
    EXPECT_EQ(frontier_->admin().explain_host(fmt::format("h{}.example", host))->queues.front().state,
              QueueState::asked_to_wait);
  const SteadyTime before = clock_.steady();
  Woken woken;
  uint64_t hosts = 0;
  do {
    woken = *frontier_->admin().wake("", woken.cursor);
    hosts += woken.hosts;
    commit();
  } while (!woken.cursor.empty());
  EXPECT_GE(hosts, static_cast<uint64_t>(kHosts));
  EXPECT_EQ(finish_all().size(), static_cast<size_t>(kHosts));
  EXPECT_LT(clock_.steady() - before, 5min);
}

TEST_P(OperateTest, ListsAllQueuesInParts) {
  add_pages(5, 4);
  commit();
  uint64_t queued = 0;
  QueuePage page;
  int parts = 0;
  do {
    page = *frontier_->admin().some_queues(QueueOrder::size, 100, page.cursor, 2);
    for (const QueueReport& queue : page.queues) queued += queue.queued;
    ASSERT_LT(++parts, 10);
  } while (!page.cursor.empty());
  for (int host = 0; host < 5; ++host)
    queued += frontier_->admin().explain_host(fmt::format("h{}.example", host))->in_inbox;
  EXPECT_EQ(queued, 25u);
  EXPECT_EQ(frontier_->admin().some_queues(QueueOrder::size, 100, "x").error().code, ErrorCode::parse);
}

TEST_P(OperateTest, CountsWhatQueuesWaitFor) {
  EXPECT_TRUE(frontier_->admin().survey(0).states.states.empty());
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  const Lease lookup = *next_whenever();
  EXPECT_EQ(frontier_->admin().survey(0).states.looking_up, 1u);
  ASSERT_EQ(frontier_->admin().survey(0).states.states.size(), 1u);
  EXPECT_EQ(frontier_->admin().survey(0).states.states.front().state, QueueState::being_visited);
  EXPECT_EQ(frontier_->admin().survey(0).states.states.front().urls, 2u);
  settle(lookup);
  settle(*next_whenever());
  EXPECT_EQ(frontier_->admin().survey(0).states.looking_up, 0u);
  EXPECT_EQ(frontier_->admin().survey(0).states.states.front().state, QueueState::politeness);
}

TEST_P(OperateTest, ExplainsUrls) {
  add_pages(3, 4);
  const ScheduledUrl late = scheduled("http://h2.example/late");
  auto report = frontier_->admin().explain_url(late);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->seen);
  ASSERT_EQ(report->waits.size(), 1u);
  EXPECT_EQ(report->waits.front().candidate.via, "http://elsewhere.example/");
  EXPECT_TRUE(report->host.known);
  report = frontier_->admin().explain_url(scheduled("http://h2.example/never"));
  EXPECT_FALSE(report->seen);
  EXPECT_TRUE(report->waits.empty());
  EXPECT_FALSE(frontier_->admin().explain_host("unknown.example")->known);
  const Lease lease = *next_whenever();
  EXPECT_TRUE(frontier_->admin().lease_of(lease.candidate.url));
  EXPECT_FALSE(frontier_->admin().lease_of("http://h2.example/never"));
  commit();
  size_t queued = 0;
  const auto all = frontier_->admin().all_queues(QueueOrder::size, 10);
  for (const QueueReport& queue : *all) queued += queue.queued;
  for (int host = 0; host < 3; ++host)
    queued += frontier_->admin().explain_host(fmt::format("h{}.example", host))->in_inbox;
  EXPECT_EQ(queued, 15u);
}

TEST_P(OperateTest, ListsOnlyWhatHasSomethingOfIt) {
  add({scheduled("http://a.example/1", "L"), scheduled("http://a.example/2", "L")});
  EXPECT_TRUE(frontier_->admin().queues(QueueOrder::failures, 10).empty());
  EXPECT_TRUE(frontier_->admin().queues(QueueOrder::wait, 10).empty());
  EXPECT_EQ(frontier_->admin().queues(QueueOrder::size, 10).size(), 1u);
  settle(*next_whenever());
  settle(*next_whenever());
  const Lease lease = *next_whenever();
  ASSERT_EQ(lease.kind, LeaseKind::url);
  clock_.advance(40s);
  const auto slowest = frontier_->admin().survey(10).slowest;
  ASSERT_EQ(slowest.size(), 1u) << "a visit that lasts is slow before it has ended";
  EXPECT_EQ(slowest.front().visiting_for, Duration(40s));
  settle(lease);
}

TEST_P(OperateTest, AnOperatorGivesThePrecedence) {
  add({scheduled("http://a.example/1", "L")});
  ScheduledUrl urgent = scheduled("http://a.example/urgent", "L");
  urgent.precedence = Precedence::first;
  add({urgent});
  settle(*next_whenever());
  settle(*next_whenever());
  EXPECT_EQ(next_whenever()->candidate.url, "http://a.example/urgent");
}

INSTANTIATE_TEST_SUITE_P(InMemoryAndOut, OperateTest, ::testing::Values(1000, 1),
                         [](const auto& info) { return info.param == 1 ? "OneHost" : "AllHosts"; });

}  // namespace
}  // namespace caddis::frontier
