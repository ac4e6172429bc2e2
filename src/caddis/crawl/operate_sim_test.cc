// What an operator does to URLs that wait, and what stays on record of it, over whole crawls in the simulated world.
#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/crawl/operator.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

// A crawl in which `act` is called once, when some URLs wait, with one that does.
class Operated {
 public:
  explicit Operated(std::function<void(Operator&, const std::string&)> act) : act_(std::move(act)) {
    crawl_.settings.politeness.delay = std::chrono::seconds(2);
    crawl_.settings.crawl.recovery_log = true;
    crawl_.on_pulse = [this](aio::SimLoop&, Operator& running) {
      if (!url_.empty() || running.status().queued < 10) return;
      const auto waiting = running.frontier().admin().waiting({.host = "a.test", .limit = 1});
      ASSERT_TRUE(waiting && !waiting->urls.empty());
      url_ = waiting->urls.front().candidate.url;
      launch_ = running.state().launch.folder();
      act_(running, url_);
    };
    EXPECT_TRUE(crawl_.live({}));
  }
  const std::string& end_text() { return crawl_.end().text; }
  // Lines of crawl.log about the URL with that status.
  int lines(std::string_view status) {
    const std::string log = *crawl_.disk.files.read_all(launch_ + "/logs/crawl.log");
    int found = 0;
    for (const std::string_view line : split(log, '\n')) {
      std::istringstream fields{std::string(line)};
      std::string time, code, size, url;
      fields >> time >> code >> size >> url;
      found += url == url_ && code == status;
    }
    return found;
  }

 private:
  std::function<void(Operator&, const std::string&)> act_;
  SimCrawl crawl_{1};
  std::string url_, launch_;
};

TEST(Operating, DeletedUrlsAreOnRecord) {
  Operated crawl([](Operator& running, const std::string& url) {
    const auto erased = running.erase(
        {.host = "a.test", .match = [&](const frontier::Candidate& what) { return what.url == url; }}, "a test");
    ASSERT_TRUE(erased);
    EXPECT_EQ(erased->urls, 1u);
  });
  EXPECT_EQ(crawl.lines("-6000"), 1);
  EXPECT_EQ(crawl.lines("200"), 0);
}

// Confirmed is only what will be kept.
TEST(Operating, AFullDiskTakesNoOrders) {
  SimCrawl crawl(1);
  crawl.settings.politeness.delay = std::chrono::seconds(2);
  crawl.settings.limits.min_free_space = 0;
  int refused = 0, taken = 0;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    const auto keeps = running.can_persist();
    if (refused == 0 && keeps && running.status().queued >= 10) crawl.disk.files.set_free_space(1000);
    if (refused > 0 && keeps) ++taken;
    if (keeps) return;
    EXPECT_EQ(keeps.error().code, ErrorCode::io);
    EXPECT_TRUE(keeps.error().message.contains("make room")) << keeps.error().message;
    if (++refused > 3) crawl.disk.files.set_free_space(10'000'000);
  };
  EXPECT_TRUE(crawl.live({})) << crawl.end().text;
  EXPECT_GT(refused, 0);
  EXPECT_GT(taken, 0);
  crawl.verify();
}

TEST(Operating, WhatIsRetiredIsSaidAtTheEnd) {
  Operated crawl([](Operator& running, const std::string&) {
    ASSERT_TRUE(running.order("a.test", frontier::HostOverrides{.retired = true}));
  });
  EXPECT_TRUE(crawl.end_text().contains("URLs wait, retired by the operator")) << crawl.end_text();
}

TEST(Operating, AForcedUrlThatWaitsIsVisitedOnce) {
  Operated crawl([](Operator& running, const std::string& url) {
    const auto added = running.add_urls({{.url = url, .force = true}, {.url = url, .force = true}});
    ASSERT_TRUE(added);
    EXPECT_EQ(added->urls, 1u);
  });
  EXPECT_EQ(crawl.lines("200"), 1);
  EXPECT_EQ(crawl.lines("-6000"), 0);
}

TEST(Operating, WhatIsOverABudgetIsNotSaidToBeKnown) {
  Operated crawl([](Operator& running, const std::string& url) {
    ASSERT_TRUE(running.order("a.test", frontier::HostOverrides{.budget = 1}));
    const auto added = running.add_urls({{.url = "http://a.test/over1"}, {.url = "http://a.test/over2"}, {.url = url}});
    ASSERT_TRUE(added);
    EXPECT_EQ(added->urls, 0u);
    EXPECT_EQ(added->over_budget, 2u);
    EXPECT_EQ(running.add_urls({{.url = "http://a.test/over1", .force = true}})->urls, 1u);
  });
}

}  // namespace
}  // namespace caddis::crawl
