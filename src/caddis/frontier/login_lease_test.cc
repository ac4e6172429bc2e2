// Logins as prerequisites: leases of their own before the first page of their site, and again when a session has ended.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "caddis/frontier/frontier_admin.h"
#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

class LoginLeaseTest : public FrontierTest {
 protected:
  LoginLeaseTest() {
    options_.resolve_names = options_.obey_robots = false;
    options_.politeness.host_retry_delay = 10s;
    options_.rules_of = [this](const std::string& host) {
      auto rules = std::make_shared<HostRules>(options_.rules());
      if (host != "c.net") rules->login = {.key = "k", .site = "a.org", .page = "https://www.a.org/login"};
      return rules;
    };
    open();
  }
  Outcome end_login(const Lease& lease, LoginOutcome outcome) {
    Disposition done;
    done.lease = lease;
    done.status = 200;
    done.login = outcome;
    return frontier_->finish(done);
  }
  Outcome end_session(const Lease& lease) {
    Disposition done;
    done.lease = lease;
    done.status = 401;
    done.verdict = Verdict::retry_url;
    done.session_ended = true;
    return frontier_->finish(done);
  }
};

TEST_F(LoginLeaseTest, ComesBeforeTheFirstPageOfItsSite) {
  add({scheduled("https://a.org/1"), scheduled("https://img.a.org/2"), scheduled("https://c.net/3")});
  std::vector<std::string> urls;
  const auto login = next_whenever();
  ASSERT_EQ(login->kind, LeaseKind::login);
  EXPECT_EQ(login->candidate.url, "https://www.a.org/login");
  EXPECT_EQ(login->candidate.hops, "P");
  EXPECT_EQ(login->session, 0u);
  // Other hosts of the site wait for it; those of others do not.
  const auto other = next_whenever();
  ASSERT_TRUE(other);
  EXPECT_EQ(other->candidate.url, "https://c.net/3");
  EXPECT_EQ(other->session, 0u);
  settle(*other);
  EXPECT_FALSE(next());
  EXPECT_EQ(end_login(*login, LoginOutcome::logged_in), Outcome::final);
  while (auto lease = next_whenever()) {
    EXPECT_EQ(lease->kind, LeaseKind::url);
    EXPECT_EQ(lease->session, 1u);
    urls.push_back(lease->candidate.url);
    settle(*lease);
  }
  EXPECT_EQ(urls.size(), 2u);
}

TEST_F(LoginLeaseTest, IsMadeAgainWhenTheSessionEnds) {
  add({scheduled("https://a.org/1"), scheduled("https://a.org/2")});
  end_login(*next_whenever(), LoginOutcome::logged_in);
  settle(*next_whenever());
  const auto ended = next_whenever();
  EXPECT_EQ(end_session(*ended), Outcome::again);
  const auto login = next_whenever();
  ASSERT_EQ(login->kind, LeaseKind::login);
  EXPECT_EQ(login->session, 1u);
  end_login(*login, LoginOutcome::logged_in);
  const auto again = next_whenever();
  EXPECT_EQ(again->candidate.url, ended->candidate.url);
  EXPECT_EQ(again->session, 2u);
  EXPECT_EQ(again->attempt, 1u);
  EXPECT_EQ(settle(*again), Outcome::final);
  EXPECT_TRUE(frontier_->is_empty());
}

TEST_F(LoginLeaseTest, PagesAreFetchedWithoutIfItFails) {
  add({scheduled("https://a.org/1")});
  for (uint32_t i = 1; i <= LoginTable::kTries; ++i) {
    const auto login = next_whenever();
    ASSERT_EQ(login->kind, LeaseKind::login);
    EXPECT_EQ(login->attempt, i);
    EXPECT_EQ(end_login(*login, LoginOutcome::unreachable), i == LoginTable::kTries ? Outcome::final : Outcome::again);
  }
  const auto page = next_whenever();
  ASSERT_EQ(page->kind, LeaseKind::url);
  EXPECT_EQ(page->session, 0u);
  settle(*page);
}

TEST_F(LoginLeaseTest, OneThatIsReturnedIsMadeAgain) {
  add({scheduled("https://a.org/1")});
  Disposition done;
  done.lease = *next_whenever();
  ASSERT_EQ(done.lease.kind, LeaseKind::login);
  done.verdict = Verdict::returned;
  done.touched_host = false;
  frontier_->finish(done);
  EXPECT_EQ(next_whenever()->kind, LeaseKind::login);
}

TEST_F(LoginLeaseTest, SessionsThatShowNothingComeToAnEnd) {
  add({scheduled("https://a.org/1")});
  for (uint32_t i = 0; i < LoginTable::kFruitless; ++i) {
    end_login(*next_whenever(), LoginOutcome::logged_in);
    end_session(*next_whenever());
  }
  EXPECT_EQ(frontier_->admin().take_notices().size(), 1u);
  const auto page = next_whenever();
  ASSERT_EQ(page->kind, LeaseKind::url);
  EXPECT_EQ(page->session, 0u);
}

}  // namespace
}  // namespace caddis::frontier
