// Whole crawls in the simulated world with scripts: what a listener keeps agrees with crawl.log after any death, and what a
// script does wrong harms one visit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/logs/log_line.h"
#include "caddis/modules/registry.h"
#include "sim/crawl.h"
#include "support/testdata.h"

namespace caddis::crawl {
namespace {

using ::testing::HasSubstr;
using testing::SimCrawl;

constexpr std::string_view kCounting = R"(
local urls, bytes = 0, 0
function finished(visit) urls = urls + 1 bytes = bytes + visit.size end
function state() return urls .. " " .. bytes end
function restore(text)
  local u, b = re.match(text, [[^(\d+) (\d+)$]])
  urls, bytes = tonumber(u), tonumber(b)
end
function report() return state() end
)";

class ModuleSimTest : public ::testing::Test {
 protected:
  // The registry keeps a module as long as the process: each test has names of its own.
  void load(SimCrawl& crawl, const std::string& name, std::string_view script) {
    const std::string path = folder_ / (name + ".lua");
    std::ofstream(path) << script;
    crawl.settings.modules.load.push_back(path);
    const auto loaded = config::load_modules(crawl.settings);
    ASSERT_TRUE(loaded) << loaded.error().message;
  }
  static std::string read(SimCrawl& crawl, const std::string& name) {
    const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
    return crawl.disk.files.read_all((*launch)->folder() + name).value_or("");
  }
  // Lines of crawl.log, and the bytes in them.
  static std::string logged(SimCrawl& crawl) {
    uint64_t urls = 0;
    uint64_t bytes = 0;
    const std::string log = read(crawl, "/logs/crawl.log");
    logs::LogLine fields;
    for (const std::string_view line : split(log, '\n')) {
      if (!fields.parse(line)) continue;
      ++urls;
      bytes += fields.bytes();
    }
    return fmt::format("{} {}", urls, bytes);
  }

  testing::TempDir folder_;
};

TEST_F(ModuleSimTest, AListenerAgreesWithTheLogAfterAnyDeath) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    SeededRandom random(seed);
    load(crawl, "counting", kCounting);
    for (int deaths = 0; deaths < 10; ++deaths)
      if (crawl.live({.events = 50 + random.below(SimCrawl::kEvents), .changes = std::nullopt})) break;
    while (!crawl.live({})) {
    }
    crawl.verify();
    EXPECT_EQ(read(crawl, "/reports/counting-report.txt"), logged(crawl));
  }
}

TEST_F(ModuleSimTest, AListenerFollowsItsSettings) {
  SimCrawl crawl(1);
  load(crawl, "following",
       std::string("settings = {mark = {default = 'old', doc = 'A mark.'}}\nlocal seen = {}\n") + R"(
local urls = 0
function finished(visit, settings) urls = urls + 1 seen[settings.mark] = (seen[settings.mark] or 0) + 1 end
function state() return tostring(urls) end
function restore(text) urls = tonumber(text) end
function report() return urls .. " old " .. (seen.old or 0) .. " new " .. (seen.new or 0) end
)");
  bool is_changed = false;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (is_changed || running.status().documents < 10) return;
    is_changed = true;
    const auto changed = running.change_settings({.settings = {{"following.mark", "new"}}});
    ASSERT_TRUE(changed) << changed.error().message;
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  crawl.verify();
  // It was made anew, so it knows of the earlier ones by its state alone.
  const std::string report = read(crawl, "/reports/following-report.txt");
  const std::string all = logged(crawl);
  const auto urls = parse_int(all.substr(0, all.find(' '))).value();
  EXPECT_TRUE(report.starts_with(fmt::format("{} old 0 new ", urls))) << report;
  const auto later = parse_int(report.substr(report.rfind(' ') + 1)).value();
  EXPECT_GT(later, 0);
  EXPECT_LT(later, urls);
}

TEST_F(ModuleSimTest, AnErrorIsThatOfOneVisit) {
  SimCrawl crawl(1);
  load(crawl, "wrong-at-once", "function step(page) if re.find(page.url, '/p3$') then error('no') end end");
  crawl.settings.pipeline.url = {"preselect", "precondition",  "fetch",   "decode",
                                 "extract",   "wrong-at-once", "records", "links"};
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  crawl.verify();
  EXPECT_THAT(read(crawl, "/logs/crawl.log"), HasSubstr("moduleError:wrong-at-once"));
  EXPECT_THAT(read(crawl, "/logs/progress-statistics.log"),
              HasSubstr("CRAWL module wrong-at-once: its step failed at http://"));
}

TEST_F(ModuleSimTest, AStepThatStandsTooLateSaysSo) {
  SimCrawl crawl(1);
  load(crawl, "late",
       "function step(page) if page.url:sub(-3) == '/p3' then page:add_link('/x') else page:leave_out() end end");
  crawl.settings.pipeline.url = {"preselect", "precondition", "fetch", "decode", "extract", "records", "links", "late"};
  crawl.settings.modules.max_errors = 0;
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  crawl.verify();
  const std::string told = read(crawl, "/logs/progress-statistics.log");
  EXPECT_THAT(told, HasSubstr("the step adds links behind the step links: put it before that"));
  EXPECT_THAT(told, HasSubstr("the step changes records behind the step records: put it before that"));
}

TEST_F(ModuleSimTest, AFieldOfMetadataIsNoneOfCaddissOwn) {
  SimCrawl crawl(1);
  load(crawl, "forging", "function step(page) page:add_metadata('via', 'http://forged/') end");
  crawl.settings.pipeline.url = {"preselect", "precondition", "fetch",   "decode",
                                 "extract",   "forging",      "records", "links"};
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  crawl.verify();
  EXPECT_THAT(read(crawl, "/logs/progress-statistics.log"), HasSubstr("is none of Caddis's own"));
}

TEST_F(ModuleSimTest, AChangedFileIsReadAgainWhileItRuns) {
  SimCrawl crawl(1);
  crawl.settings.modules.max_errors = 1;
  load(crawl, "mended", "function step(page) error('no') end");
  crawl.settings.pipeline.url = {"preselect", "precondition", "fetch",   "decode",
                                 "extract",   "mended",       "records", "links"};
  bool is_mended = false;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (is_mended || running.status().documents < 5) return;
    is_mended = true;
    std::ofstream(crawl.settings.modules.load.front()) << "function step(page) page:annotate('mended') end";
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  crawl.verify();
  const std::string told = read(crawl, "/logs/progress-statistics.log");
  EXPECT_THAT(told, HasSubstr("module mended is switched off after 1 error"));
  EXPECT_THAT(told, HasSubstr("module mended: its file has changed, and was read again"));
  EXPECT_THAT(read(crawl, "/logs/crawl.log"), HasSubstr("mended"));
}

}  // namespace
}  // namespace caddis::crawl
