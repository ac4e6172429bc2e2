#include "caddis/robots/policy.h"

#include <gtest/gtest.h>

namespace caddis::robots {
namespace {

const char kSite[] =
    "User-agent: caddis\nDisallow: /private\nCrawl-delay: 4\n\nUser-agent: friend\nAllow: /\n\nUser-agent: "
    "*\nDisallow: /\n";

TEST(RobotsPolicy, ObeyAndIgnore) {
  const Robots site = Robots::parse(kSite);
  PolicyContext context{.policy = RobotsPolicy::obey, .user_agent = "caddis"};
  EXPECT_FALSE(judge(context, site, "/private").verdict.allowed);
  context.policy = RobotsPolicy::ignore;
  EXPECT_TRUE(judge(context, site, "/private").verdict.allowed);
}

TEST(RobotsPolicy, NofollowIsForThoseWhoObeyPages) {
  EXPECT_TRUE(obeys_nofollow(RobotsPolicy::obey));
  EXPECT_FALSE(obeys_nofollow(RobotsPolicy::robots_txt_only));
  EXPECT_FALSE(obeys_nofollow(RobotsPolicy::ignore));
}

TEST(RobotsPolicy, FirstNamedTakesTheFirstThatTheFileNames) {
  const Robots site = Robots::parse(kSite);
  const std::vector<std::string> candidates = {"stranger", "friend", "caddis"};
  const PolicyContext context{.policy = RobotsPolicy::first_named, .user_agent = "caddis", .candidates = &candidates};
  const PolicyVerdict verdict = judge(context, site, "/private");
  EXPECT_TRUE(verdict.verdict.allowed);
  EXPECT_EQ(verdict.agent, "friend");
}

TEST(RobotsPolicy, MostFavoredKeepsItsOwnNameWhereThatIsEnough) {
  const Robots site = Robots::parse(kSite);
  const std::vector<std::string> candidates = {"stranger", "friend"};
  const PolicyContext context{.policy = RobotsPolicy::most_favored, .user_agent = "caddis", .candidates = &candidates};
  EXPECT_EQ(judge(context, site, "/public").agent, "caddis");
  EXPECT_EQ(judge(context, site, "/private").agent, "friend");
}

TEST(RobotsPolicy, CustomReplacesTheFile) {
  const Robots site = Robots::parse(kSite), own = Robots::parse("User-agent: *\nDisallow: /here\n");
  const PolicyContext context{.policy = RobotsPolicy::custom, .user_agent = "caddis", .custom = &own};
  EXPECT_TRUE(judge(context, site, "/private").verdict.allowed);
  EXPECT_FALSE(judge(context, site, "/here").verdict.allowed);
}

}  // namespace
}  // namespace caddis::robots
