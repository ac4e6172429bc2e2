// A disk has lied: a resume mends some of it by itself, and leaves the rest to people.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using config::SelfRepair;
using testing::SimCrawl;

std::string first_archive(SimCrawl& crawl) {
  const std::string archive = std::string(SimCrawl::kCollection) + "/archive/";
  return archive + crawl.disk.files.list(archive)->front().name;
}

// A crawl that has died, and whose WARC file has lost all but so many bytes.
void begin(SimCrawl& crawl, uint64_t groups_kept, SelfRepair allowed, uint64_t left) {
  crawl.groups_kept = groups_kept;
  crawl.settings.crawl.repair = allowed;
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 2, {}}));
  const std::string path = first_archive(crawl);
  const uint64_t size = crawl.disk.files.read_all(path)->size();
  ASSERT_GT(size, left);
  ASSERT_TRUE(crawl.disk.files.lose_synced_tail(path, size - left));
}

void expect_refusal(SimCrawl& crawl, std::string_view way_out) {
  const std::string path = first_archive(crawl);
  const std::string bytes = *crawl.disk.files.read_all(path);
  crawl.faulty = true;
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(crawl.live({}));
    EXPECT_TRUE(crawl.refusal.contains("the disk has lost")) << crawl.refusal;
    EXPECT_TRUE(crawl.refusal.contains("caddis repair " + std::string(SimCrawl::kCollection))) << crawl.refusal;
    EXPECT_TRUE(crawl.refusal.contains(way_out)) << crawl.refusal;
    EXPECT_EQ(*crawl.disk.files.read_all(path), bytes);
  }
  crawl.faulty = false;
}

void run_to_end(SimCrawl& crawl, SelfRepair allowed) {
  crawl.overlay = [allowed](config::Settings& settings) -> Result<void> {
    settings.crawl.repair = allowed;
    return {};
  };
  while (!crawl.live({}) && !::testing::Test::HasFailure()) {
  }
  EXPECT_TRUE(
      std::ranges::any_of(crawl.notices, [](const auto& notice) { return notice.contains("the disk has lost"); }));
}

TEST(SelfRepair, MendsNothingWhereItIsToldSo) {
  SimCrawl crawl(1);
  begin(crawl, 64, SelfRepair::never, 2000);
  expect_refusal(crawl, "crawl.repair=lossless");
  run_to_end(crawl, SelfRepair::lossless);
  crawl.verify();
}

TEST(SelfRepair, LeavesWhatIsLostForGoodToPeople) {
  SimCrawl crawl(1);
  begin(crawl, 2, SelfRepair::lossless, 2000);
  expect_refusal(crawl, "crawl.repair=always");
  run_to_end(crawl, SelfRepair::always);
  crawl.verify(
      {.may_repeat = [](std::string_view where, std::string_view) { return where == "crawl.log" || where == "pages"; },
       .may_miss = [](std::string_view where,
                      std::string_view url) { return where == "lookups" || url.starts_with("dns:"); },
       .may_appear = [](std::string_view, std::string_view url) { return url == "http://b.test/of-an-error-page"; }});
}

}  // namespace
}  // namespace caddis::crawl
