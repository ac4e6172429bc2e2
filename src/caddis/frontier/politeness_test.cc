// Politeness by itself: hosts without queues, visits without leases.
#include "caddis/frontier/politeness.h"

#include <gtest/gtest.h>

#include "caddis/frontier/delays.h"

namespace caddis::frontier {
namespace {

using namespace std::chrono_literals;
using Kind = PermitAnswer::Kind;

// Another crawl has these hosts.
class OtherCrawl final : public HostClaims {
 public:
  bool take(std::string_view host) override { return host != taken; }
  void leave(std::string_view host, SteadyTime until) override { left.emplace_back(host, until); }

  std::string taken;
  std::vector<std::pair<std::string, SteadyTime>> left;
};

class PolitenessTest : public ::testing::Test {
 protected:
  Politeness make() {
    RulesBook fresh({settings_, order_, {}, {}, true, "caddis", {}}, nullptr, {});
    rules_ = std::make_unique<RulesBook>(std::move(fresh));
    return {bounded_, *rules_, *PolitenessGroups::create(settings_), &claims_};
  }
  static std::unique_ptr<Host> host(const std::string& name, const std::string& address) {
    auto made = std::make_unique<Host>();
    made->name = name;
    made->addresses.list = {address};
    return made;
  }

  PolitenessSettings settings_;
  OrderSettings order_;
  OtherCrawl claims_;
  ManualClock clock_;
  BoundedClock bounded_{clock_};
  std::unique_ptr<RulesBook> rules_;
};

TEST_F(PolitenessTest, AHostHasOneVisitAtATime) {
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1");
  const PermitAnswer first = politeness.acquire(*a, {});
  ASSERT_EQ(first.kind, Kind::granted);
  EXPECT_EQ(first.permit.address, "192.0.2.1");
  const PermitAnswer second = politeness.acquire(*a, {});
  EXPECT_EQ(second.kind, Kind::busy);
  EXPECT_EQ(second.wait_list, &a->pacing.waiting);
  politeness.release(*a, first.permit);
  EXPECT_EQ(politeness.acquire(*a, {}).kind, Kind::granted);
}

TEST_F(PolitenessTest, AnExclusiveVisitIsTheOnlyOne) {
  settings_.visits_per_host = 3;
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1");
  const PermitAnswer exclusive = politeness.acquire(*a, {.exclusive = true});
  EXPECT_EQ(politeness.acquire(*a, {}).kind, Kind::busy);
  politeness.release(*a, exclusive.permit);
  EXPECT_EQ(politeness.acquire(*a, {}).kind, Kind::granted);
  EXPECT_EQ(politeness.acquire(*a, {}).kind, Kind::granted);
  EXPECT_EQ(politeness.acquire(*a, {.exclusive = true}).kind, Kind::busy);
}

TEST_F(PolitenessTest, APauseFollowsAVisit) {
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1");
  const PermitAnswer first = politeness.acquire(*a, {});
  politeness.pause(*a, first.permit, {.fetch_time = 1s});
  politeness.release(*a, first.permit);
  const PermitAnswer second = politeness.acquire(*a, {});
  EXPECT_EQ(second.kind, Kind::paused);
  EXPECT_EQ(second.until - clock_.steady(), Duration(5s)) << "delay-factor times the fetch";
  EXPECT_EQ(politeness.acquire(*a, {.connects = false}).kind, Kind::granted) << "whoever does not connect waits not";
}

TEST_F(PolitenessTest, AHostIsLeftToAnotherCrawlThatHasIt) {
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1");
  claims_.taken = "a.example";
  EXPECT_EQ(politeness.acquire(*a, {.connects = false}).kind, Kind::granted) << "a look-up is no visit";
  politeness.release(*a, {});
  const PermitAnswer refused = politeness.acquire(*a, {});
  EXPECT_EQ(refused.kind, Kind::paused);
  EXPECT_GT(refused.until, clock_.steady());
  EXPECT_TRUE(a->pacing.is_elsewhere);
  claims_.taken.clear();
  claims_.left.clear();
  const PermitAnswer granted = politeness.acquire(*a, {});
  ASSERT_EQ(granted.kind, Kind::granted) << "what was refused has taken no place at the address";
  EXPECT_FALSE(a->pacing.is_elsewhere);
  politeness.pause(*a, granted.permit, {.fetch_time = 1s});
  politeness.release(*a, granted.permit);
  ASSERT_EQ(claims_.left.size(), 1u);
  EXPECT_EQ(claims_.left[0].second, a->pacing.next_allowed) << "others wait for the pause, too";
}

TEST_F(PolitenessTest, OtherCrawlsAreNotAskedWhereThatIsAllowed) {
  order_.jobs_at_once = true;
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1");
  claims_.taken = "a.example";
  EXPECT_EQ(politeness.acquire(*a, {}).kind, Kind::granted);
}

TEST_F(PolitenessTest, HostsAtOneAddressShareItsPlaces) {
  settings_.max_per_address = 2;
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1"), b = host("b.example", "192.0.2.1");
  const auto c = host("c.example", "192.0.2.1"), d = host("d.example", "192.0.2.2");
  const PermitAnswer first = politeness.acquire(*a, {});
  EXPECT_EQ(politeness.acquire(*b, {}).kind, Kind::granted);
  const PermitAnswer third = politeness.acquire(*c, {});
  EXPECT_EQ(third.kind, Kind::busy);
  EXPECT_EQ(third.state, QueueSchedule::State::address_busy);
  EXPECT_EQ(c->pacing.visits, 0u) << "nothing is taken unless all is";
  EXPECT_EQ(politeness.acquire(*d, {}).kind, Kind::granted);
  EXPECT_EQ(politeness.acquire(*c, {.address = "192.0.2.3"}).kind, Kind::granted) << "at an address of its own choice";
  const auto lists = politeness.release(*a, first.permit);
  EXPECT_EQ(lists[0], third.wait_list);
}

TEST_F(PolitenessTest, AGroupSharesVisitsAndPauses) {
  settings_.groups = {"both: a.example b.example"};
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1"), b = host("b.example", "192.0.2.2");
  EXPECT_EQ(politeness.group_of(*a), "both");
  const PermitAnswer first = politeness.acquire(*a, {});
  EXPECT_EQ(politeness.acquire(*b, {}).state, QueueSchedule::State::group_busy);
  politeness.pause(*a, first.permit, {.fetch_time = 100ms});
  politeness.release(*a, first.permit);
  const PermitAnswer paused = politeness.acquire(*b, {});
  EXPECT_EQ(paused.kind, Kind::paused);
  EXPECT_TRUE(paused.is_shared);
  EXPECT_EQ(paused.until, a->pacing.next_allowed);
  EXPECT_EQ(politeness.shared_pause(*b), QueueState::group_busy);
  clock_.advance(3s);
  EXPECT_EQ(politeness.acquire(*b, {}).kind, Kind::granted);
}

TEST_F(PolitenessTest, ABatchPutsItsPausesOff) {
  settings_.batch = 3;
  settings_.delay = 2s;
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1");
  for (int visit = 0; visit < 3; ++visit) {
    const PermitAnswer answer = politeness.acquire(*a, {});
    ASSERT_EQ(answer.kind, Kind::granted) << visit;
    politeness.pause(*a, answer.permit, {.may_batch = true});
    politeness.release(*a, answer.permit);
  }
  EXPECT_EQ(a->pacing.next_allowed - clock_.steady(), Duration(6s));
}

TEST_F(PolitenessTest, AnOperatorsDelayTakesThePlaceOfTheSettings) {
  Politeness politeness = make();
  const auto a = host("a.example", "192.0.2.1");
  a->overrides.delay = 1min;
  EXPECT_EQ(politeness.delay_after(*a, std::nullopt, 1s), Duration(1min));
  EXPECT_EQ(politeness.delay_after(*a, 2min, 1s), Duration(2min)) << "robots.txt may ask for more";
}

TEST_F(PolitenessTest, TheBandwidthOfAllIsPaidForBeforehand) {
  settings_.bandwidth = 1000;
  Politeness politeness = make();
  const uint64_t paid = politeness.begin_transfer();
  EXPECT_GT(paid, 0u);
  EXPECT_TRUE(politeness.holds_back());
  politeness.end_transfer(paid, 0);
  EXPECT_FALSE(politeness.holds_back());
  politeness.begin_transfer();
  rules_->replace({}, {});
  politeness.update_limits();
  EXPECT_FALSE(politeness.holds_back()) << "without a limit nothing is owed";
}

}  // namespace
}  // namespace caddis::frontier
