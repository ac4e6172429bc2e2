// Whole crawls in the simulated world with another path than the usual one: steps that are disabled, guarded, or asked
// again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/io/gzip.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::SimCrawl;

class PipelineSimTest : public ::testing::Test {
 protected:
  PipelineSimTest() {
    crawl_.site.on_request = [this](const std::string& url, std::string_view) { asked_.insert(url); };
    crawl_.settings.logs.content_size = false;
  }
  void load(std::string_view yaml) {
    const auto loaded = config::load_settings(yaml, "crawl.yaml", crawl_.settings);
    ASSERT_TRUE(loaded) << loaded.error().message;
  }
  std::string read(const std::string& name) {
    const auto launch = collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection);
    return crawl_.disk.files.read_all((*launch)->folder() + name).value_or("");
  }
  // URL to "status annotations" of each line of crawl.log.
  std::map<std::string, std::string> log() {
    std::map<std::string, std::string> found;
    const std::string text = read("/logs/crawl.log");
    for (const std::string_view line : split(text, '\n')) {
      std::vector<std::string_view> fields = split(line, ' ');
      std::erase_if(fields, [](std::string_view field) { return field.empty(); });
      if (fields.size() == 12) found[std::string(fields[3])] = fmt::format("{} {}", fields[1], fields[11]);
    }
    return found;
  }

  SimCrawl crawl_{1};
  std::set<std::string> asked_;
};

TEST_F(PipelineSimTest, AStepMayBeDisabledForASite) {
  load("sheets: {still: {sites: [c.test], settings: {pipeline: {disable: [extract]}}}}");
  ASSERT_TRUE(crawl_.live({}));
  EXPECT_THAT(asked_, Contains("http://a.test/p29"));
  EXPECT_THAT(asked_, Contains("http://c.test/p0"));
  EXPECT_THAT(asked_, Not(Contains("http://c.test/p1")));
  EXPECT_EQ(log()["http://c.test/p0"], "200 -");
}

// A scope that asks for the address says nothing when a link is found, and is asked again before the visit.
TEST_F(PipelineSimTest, AScopeMayAskForTheAddress) {
  load("scope: {rules: [shorthand, 'reject not address 192.0.2.1 192.0.2.2 192.0.2.22']}");
  ASSERT_TRUE(crawl_.live({}));
  EXPECT_THAT(asked_, Contains("http://b.test/p1"));
  EXPECT_THAT(asked_, Not(Contains("http://c.test/p0")));
  EXPECT_THAT(asked_, Not(Contains("http://img.test/i1.png")));
  EXPECT_THAT(asked_, Contains("http://img.test/robots.txt")) << "it is fetched before";
  EXPECT_THAT(log()["http://img.test/i1.png"], ::testing::StartsWith("-5000 scope:reject%20not%20address"));
}

TEST_F(PipelineSimTest, AGuardLeavesDocumentsOutOfTheArchive) {
  load("pipeline: {guard: ['records: mime ^text/']}");
  ASSERT_TRUE(crawl_.live({}));
  EXPECT_THAT(asked_, Contains("http://img.test/i1.png"));
  EXPECT_EQ(log()["http://img.test/i1.png"], "200 noRecords");
  EXPECT_EQ(log()["http://b.test/p1"], "200 -");
  const std::string pages = read("/pages/pages.jsonl") + read("/logs/pages.jsonl");
  EXPECT_FALSE(pages.contains("i1.png"));
}

TEST_F(PipelineSimTest, AGuardEndsFetchesBehindTheHead) {
  load(
      "pipeline: {guard: ['body: not mime ^image/']}\n"
      "sheets: {heads: {sites: [c.test], settings: {pipeline: {guard: ['body: not status 200']}}}}");
  ASSERT_TRUE(crawl_.live({}));
  EXPECT_EQ(log()["http://img.test/i1.png"], "200 midFetchAbort");
  EXPECT_EQ(log()["http://b.test/p1"], "200 -");
  EXPECT_EQ(log()["http://c.test/p0"], "200 midFetchAbort");
  EXPECT_THAT(asked_, Not(Contains("http://c.test/p1"))) << "a link of a body that was not received";
  EXPECT_THAT(read("/logs/crawl.log"), Not(::testing::HasSubstr("httpProblem")));
  size_t truncated = 0;
  for (const auto& entry : *crawl_.disk.files.list("/archive/c/archive")) {
    const std::string file = *crawl_.disk.files.read_all("/archive/c/archive/" + entry.name);
    const auto warc = io::gunzip_all(file, 64 << 20);
    ASSERT_TRUE(warc);
    for (size_t at = 0; (at = warc->find("WARC-Truncated: unspecified\r\n", at)) != warc->npos; ++at) ++truncated;
  }
  size_t ended = 0;
  for (const auto& [url, line] : log()) ended += line.contains("midFetchAbort") ? 1 : 0;
  EXPECT_EQ(truncated, ended);
  EXPECT_GE(ended, 2u);
}

TEST_F(PipelineSimTest, TheOrderMayDiffer) {
  load("pipeline: {url: [precondition, fetch, records, decode, extract, links]}");
  ASSERT_TRUE(crawl_.live({}));
  crawl_.verify();
}

// Whoever resumes a crawl with another scope means the URLs that wait, too.
TEST_F(PipelineSimTest, AResumeAsksTheScopeAgain) {
  ASSERT_FALSE(crawl_.live({300, {}}));
  const std::set<std::string> before = std::exchange(asked_, {});
  crawl_.overlay = [](config::Settings& settings) -> Result<void> {
    settings.scope.exclude = {"//b\\.test/"};
    return {};
  };
  ASSERT_FALSE(crawl_.live({60, {}}));
  // The change is remembered by the process that comes after.
  crawl_.overlay = nullptr;
  ASSERT_TRUE(crawl_.live({}));
  size_t rejected = 0;
  for (const auto& [url, line] : log()) {
    if (!line.starts_with("-5000")) continue;
    ++rejected;
    EXPECT_EQ(line, "-5000 scope:exclude") << url;
    EXPECT_TRUE(url.starts_with("http://b.test/")) << url;
    EXPECT_THAT(asked_, Not(Contains(url)));
  }
  EXPECT_GT(rejected, 0u);
  for (const std::string& url : asked_) EXPECT_FALSE(url.starts_with("http://b.test/p")) << url;
  EXPECT_THAT(asked_, Contains("http://a.test/p29"));
}

// What somebody has queued without asking a scope is not held against it either.
TEST_F(PipelineSimTest, AnUnchangedScopeIsNotAskedAgain) {
  ASSERT_FALSE(crawl_.live({300, {}}));
  ASSERT_TRUE(crawl_.live({}));
  for (const auto& [url, line] : log()) EXPECT_FALSE(line.starts_with("-5000")) << url;
  crawl_.verify();
}

}  // namespace
}  // namespace caddis::crawl
