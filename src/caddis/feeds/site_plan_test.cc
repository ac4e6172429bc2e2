#include "caddis/feeds/site_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/feeds/settings.h"

namespace caddis::feeds {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(SitePlan, IsReadAndWritten) {
  const auto plan = parse_site_plan(
      "ruv.is: every 1h30m feed http://www.RUV.is/rss implies http://www.ruv.is http://www.ruv.is/a#top "
      "feed https://www.ruv.is/sport");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->name, "ruv.is");
  EXPECT_EQ(plan->wait, 90min);
  ASSERT_EQ(plan->feeds.size(), 2u);
  EXPECT_EQ(plan->feeds[0].url, "http://www.ruv.is/rss");
  EXPECT_THAT(plan->feeds[0].implied_pages, ::testing::ElementsAre("http://www.ruv.is/", "http://www.ruv.is/a"));
  EXPECT_TRUE(plan->feeds[1].implied_pages.empty());
  const std::string line = to_line(*plan);
  const auto again = parse_site_plan(line);
  ASSERT_TRUE(again) << line;
  EXPECT_TRUE(*again == *plan);
  const auto paused = parse_site_plan("a: paused feed http://a.test/");
  ASSERT_TRUE(paused);
  EXPECT_FALSE(paused->active);
  EXPECT_EQ(to_line(*paused), "a: paused feed http://a.test/");
}

TEST(SitePlan, SaysWhatIsWrong) {
  const auto refusal = [](std::string_view line) {
    const auto plan = parse_site_plan(line);
    return plan ? "none" : plan.error().message;
  };
  EXPECT_THAT(refusal("ruv.is feed http://a.test/"), HasSubstr("begin with the name of a site"));
  EXPECT_THAT(refusal("a: every 30s feed http://a.test/"), HasSubstr("the least is 1m"));
  EXPECT_THAT(refusal("a: every soon feed http://a.test/"), HasSubstr("'soon'"));
  EXPECT_THAT(refusal("a: every 1h"), HasSubstr("has no feed"));
  EXPECT_THAT(refusal("a: feed"), HasSubstr("ends before"));
  EXPECT_THAT(refusal("a: feed ftp://a.test/"), HasSubstr("'ftp://a.test/'"));
  EXPECT_THAT(refusal("a: feed http://a.test/ feed http://a.test"), HasSubstr("twice"));
  EXPECT_THAT(refusal("a: http://a.test/"), HasSubstr("expected"));
  EXPECT_THAT(refusal("a/b: feed http://a.test/"), HasSubstr("no name of a site"));
  EXPECT_THAT(validate(FeedSettings{.sites = {"a: feed http://a.test/", "a: feed http://b.test/"}}).error().message,
              HasSubstr("feeds.sites: the site 'a' is there twice"));
  EXPECT_THAT(validate(FeedSettings{.min_wait = 2h, .max_wait = 1h}).error().message, HasSubstr("feeds.max-wait"));
}

}  // namespace
}  // namespace caddis::feeds
