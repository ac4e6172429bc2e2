#include "caddis/frontier/login_table.h"

#include <gtest/gtest.h>

namespace caddis::frontier {
namespace {

using Need = LoginTable::Need;
const LoginRule kRule{.key = "k", .site = "example.org", .page = "https://example.org/login"};
const SteadyTime kNow{std::chrono::seconds(1000)}, kLater{std::chrono::seconds(1060)};

TEST(LoginTable, OneLoginServesAllHostsOfTheSite) {
  LoginTable table;
  EXPECT_EQ(table.need(kRule, "other.org", kNow), Need::none);
  EXPECT_EQ(table.need(LoginRule(), "example.org", kNow), Need::none);
  EXPECT_EQ(table.need(kRule, "www.example.org", kNow), Need::login);
  table.begin("k");
  EXPECT_EQ(table.need(kRule, "example.org", kNow), Need::wait);
  EXPECT_TRUE(table.end("k", LoginOutcome::logged_in, kLater));
  EXPECT_EQ(table.need(kRule, "example.org", kNow), Need::none);
  EXPECT_EQ(table.session(kRule, "example.org"), 1u);
  EXPECT_EQ(table.session(kRule, "other.org"), 0u);
}

TEST(LoginTable, ALoginThatWasNotTriedIsMadeAgain) {
  LoginTable table;
  table.begin("k");
  EXPECT_FALSE(table.end("k", LoginOutcome::none, kNow));
  EXPECT_EQ(table.need(kRule, "example.org", kNow), Need::login);
  table.begin("k");
  EXPECT_FALSE(table.end("k", LoginOutcome::none, kLater));
  EXPECT_EQ(table.need(kRule, "example.org", kNow), Need::wait);
}

TEST(LoginTable, GivesUpAfterSomeTries) {
  LoginTable table;
  for (uint32_t i = 1; i < LoginTable::kTries; ++i) {
    table.begin("k");
    EXPECT_FALSE(table.end("k", LoginOutcome::unreachable, kLater));
    EXPECT_EQ(table.need(kRule, "example.org", kNow), Need::wait);
    EXPECT_EQ(table.need(kRule, "example.org", kLater), Need::login);
  }
  EXPECT_TRUE(table.end("k", LoginOutcome::unreachable, kLater));
  EXPECT_EQ(table.need(kRule, "example.org", kLater), Need::none);
  EXPECT_EQ(table.session(kRule, "example.org"), 0u);
}

TEST(LoginTable, ARefusalIsForGood) {
  LoginTable table;
  table.begin("k");
  EXPECT_TRUE(table.end("k", LoginOutcome::refused, kLater));
  EXPECT_EQ(table.need(kRule, "example.org", kLater), Need::none);
  EXPECT_EQ(table.failures("k"), 1u);
}

TEST(LoginTable, RepeatsALoginWhoseSessionHasEnded) {
  LoginTable table;
  table.end("k", LoginOutcome::logged_in, kLater);
  table.worked("k", 1);
  EXPECT_FALSE(table.ended("k", 1));
  EXPECT_EQ(table.need(kRule, "example.org", kNow), Need::login);
  table.end("k", LoginOutcome::logged_in, kLater);
  // A visit of the first session is late.
  EXPECT_FALSE(table.ended("k", 1));
  EXPECT_EQ(table.session(kRule, "example.org"), 2u);
}

TEST(LoginTable, EndsLoginsThatComeToNothing) {
  LoginTable table;
  for (uint32_t i = 1; i <= LoginTable::kFruitless; ++i) {
    table.end("k", LoginOutcome::logged_in, kLater);
    EXPECT_EQ(table.ended("k", i), i == LoginTable::kFruitless);
  }
  EXPECT_EQ(table.need(kRule, "example.org", kNow), Need::none);
}

}  // namespace
}  // namespace caddis::frontier
