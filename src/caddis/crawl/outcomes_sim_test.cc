// The logs by protocol and by fate of whole crawls in the simulated world, through power cuts: each URL is in one of
// them, with the right word, and they say the same as the statistics. That they say the same as crawl.log is verified
// of each simulated crawl (tests/sim/verify.h).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/base/status_word.h"
#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/store_layout.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using nlohmann::json;
using testing::SimCrawl;

class OutcomesSimTest : public ::testing::Test {
 protected:
  void prepare(SimCrawl& crawl) {
    const auto loaded = config::load_settings(
        "logs: {write: [http, dns, failures, not-crawled, scope]}\n"
        "scope: {exclude: ['http://b[.]test/p1[0-9]$']}\n"
        "sheets: {few: {sites: [c.test], settings: {quota: {host-successes: 3, action: drop}}}}\n",
        "crawl.yaml", crawl.settings);
    ASSERT_TRUE(loaded) << loaded.error().message;
    crawl.settings.crawl.seeds.emplace_back("http://nowhere.test/");
    crawl.settings.crawl.seeds.emplace_back("http://a.test:81/closed");
    crawl.settings.politeness.host_failures = 2;
    crawl.settings.politeness.host_probes = 0;
  }
  static std::string launch_of(SimCrawl& crawl) {
    return (*collection::latest_launch(crawl.disk.files, SimCrawl::kCollection))->folder();
  }
  // The members of each line, and the words of its status, are those that the published schema has.
  static void check_by_schema(const json& line, const std::string& log) {
    static const json schema = [] {
      const char* const source = std::getenv("CADDIS_SOURCE_DIR");
      std::ifstream file(std::string(source != nullptr ? source : ".") + "/docs/formats/logs.schema.json");
      return json::parse(file);
    }();
    const json& known = schema.at("$defs").at(log).at("properties");
    for (const auto& [name, value] : line.items()) ASSERT_TRUE(known.contains(name)) << log << ": " << line;
    const json& status = known.at("status");
    if (!line.contains("status")) return;
    if (!status.contains("enum")) {
      EXPECT_TRUE(line.at("status").is_number_integer()) << line;
      return;
    }
    EXPECT_NE(std::ranges::find(status.at("enum"), line.at("status")), status.at("enum").end()) << line;
  }
  // The lines of a log, and of its further parts; headers are counted.
  std::vector<json> lines_of(SimCrawl& crawl, const std::string& log) {
    std::vector<json> lines;
    for (int part = 1;; ++part) {
      const std::string path =
          launch_of(crawl) + "/logs/" + log + ".jsonl" + (part == 1 ? "" : "." + std::to_string(part));
      if (!crawl.disk.files.exists(path)) break;
      const std::string text = *crawl.disk.files.read_all(path);
      for (const std::string_view line : split(text, '\n')) {
        if (line.empty()) continue;
        json object = json::parse(line);
        if (object.contains("log")) {
          ++headers_[log];
          continue;
        }
        check_by_schema(object, log);
        lines.push_back(std::move(object));
      }
    }
    return lines;
  }
  // URL to the log that has it and its status there.
  void read(SimCrawl& crawl) {
    for (const std::string log : {"http", "dns", "failures", "not-crawled"})
      for (const json& line : lines_of(crawl, log)) {
        const json& status = line.at("status");
        const std::string text = status.is_number() ? std::to_string(status.get<int>()) : status.get<std::string>();
        const std::string url = line.at("url");
        EXPECT_TRUE(fates_.emplace(url, log + " " + text).second) << url << " is there twice";
        if (text == "rejected" || text == "duplicate") {
          EXPECT_TRUE(line.contains(text == "rejected" ? "rule" : "key")) << line;
          continue;
        }
        const int number = log == "http"  ? status.get<int>()
                           : log == "dns" ? status::kDnsOk
                                          : status_of_word(text).value_or(-12345);
        ++numbers_[number];
        if (line.contains("received")) bytes_ += line.at("received").get<uint64_t>();
        if (line.contains("head_size"))
          EXPECT_EQ(line.at("head_size").get<uint64_t>() + line.value("body_size", uint64_t{0}), line.at("received"));
      }
    for (const json& line : lines_of(crawl, "scope"))
      if (line.at("status") == "rejected") ++rejected_[line.at("rule")];
  }
  void compare_with_statistics(SimCrawl& crawl) {
    const auto kv = crawl.disk.kv_opener()(launch_of(crawl) + "/state/db", family_names());
    ASSERT_TRUE(kv);
    Statistics statistics;
    ASSERT_TRUE(statistics.load(**kv, kStatistics));
    std::map<int, uint64_t> counted;
    for (const auto& [status, tally] : statistics.statuses()) counted[status] = tally.urls;
    EXPECT_EQ(numbers_, counted);
    EXPECT_EQ(bytes_, statistics.bytes());
    EXPECT_EQ(rejected_, statistics.rejected());
  }

  std::map<std::string, std::string> fates_;
  std::map<int, uint64_t> numbers_;
  std::map<std::string, int> headers_;
  std::map<std::string, uint64_t> rejected_;  // by rule
  uint64_t bytes_ = 0;
};

TEST_F(OutcomesSimTest, EachUrlIsInOneLogAlsoAfterPowerCuts) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    fates_.clear(), numbers_.clear(), headers_.clear(), rejected_.clear();
    bytes_ = 0;
    SimCrawl crawl(seed);
    prepare(crawl);
    // The first seed sees no power cut at all.
    while (!crawl.live(seed == 1 ? SimCrawl::Death()
                                 : SimCrawl::Death{.changes = 20 + crawl.disk.random.below(3 * SimCrawl::kChanges)})) {
      ASSERT_LT(crawl.lives(), 200U);
    }
    read(crawl);
    compare_with_statistics(crawl);
    EXPECT_EQ(fates_["http://a.test/p0"], "http 200");
    EXPECT_EQ(fates_["http://a.test/missing"], "http 404");
    EXPECT_EQ(fates_["dns:a.test"], "dns 0");
    EXPECT_EQ(fates_["http://a.test/private/x"], "not-crawled robots-excluded");
    EXPECT_EQ(fates_["http://nowhere.test/"], "failures host-unresolved");
    EXPECT_EQ(fates_["dns:nowhere.test"], "failures dns-failed");
    EXPECT_TRUE(fates_["http://a.test:81/closed"].starts_with("failures ")) << fates_["http://a.test:81/closed"];
    EXPECT_EQ(fates_.count("http://b.test/p12"), 0U) << "the scope has it";
    EXPECT_GE(rejected_["exclude"], 1U);
    EXPECT_GE(numbers_[status::kBlockedByQuota], 1U);
    for (const auto& [log, headers] : headers_) EXPECT_GE(headers, 1) << log;
    if (seed == 1) {
      for (const auto& [url, bytes] : crawl.site.captures())
        // What is found on those pages alone is not found.
        if (!url.starts_with("http://c.test/") && !url.starts_with("http://b.test/p1") && url != "http://a.test/from-c")
          EXPECT_TRUE(fates_[url].starts_with("http ")) << url << ": " << fates_[url];
    }
  }
}

// Few hosts are in memory: most budgets say so when a host is loaded, long after its links were found.
TEST_F(OutcomesSimTest, LinksThatAreNotQueuedAreOnRecordOnceAlsoAfterPowerCuts) {
  uint64_t over_budget = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    fates_.clear(), numbers_.clear();
    SimCrawl crawl(seed);
    prepare(crawl);
    crawl.settings.logs.rejected_links = true;
    crawl.settings.logs.fields = {"scope: url status rule"};
    crawl.settings.memory.hosts = static_cast<int64_t>(seed % 2);
    ASSERT_TRUE(
        config::load_settings("sheets: {small: {sites: [img.test], settings: {politeness: {host-budget: 2}}}}\n",
                              "crawl.yaml", crawl.settings));
    crawl.settings.crawl.seeds.emplace_back("http://a.test/twins");
    const std::string body = "<a href=\"/p0?\">a</a><a href=\"/p0\">b</a>\n";
    crawl.site.add(
        "http://a.test/twins",
        fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}", body.size(), body));
    while (!crawl.live(seed == 1 ? SimCrawl::Death()
                                 : SimCrawl::Death{.changes = 20 + crawl.disk.random.below(3 * SimCrawl::kChanges)})) {
      ASSERT_LT(crawl.lives(), 200U);
    }
    read(crawl);  // each URL is in one log, once
    EXPECT_EQ(fates_["http://outside.test/"], "not-crawled rejected");
    EXPECT_EQ(fates_["http://b.test/p12"], "not-crawled rejected");
    EXPECT_EQ(fates_["http://a.test/p0?"], "not-crawled duplicate");
    EXPECT_EQ(fates_["http://a.test/p0"], "http 200");
    for (int image = 0; image < 6; ++image) {
      const std::string fate = fates_["http://img.test/i" + std::to_string(image) + ".png"];
      EXPECT_TRUE(fate == "http 200" || fate == "not-crawled rejected") << image << ": " << fate;
      over_budget += fate == "http 200" ? 0 : 1;
    }
  }
  EXPECT_GE(over_budget, 6U);
}

TEST_F(OutcomesSimTest, LogsThatNobodyWantsAreNotThere) {
  SimCrawl crawl(1);
  crawl.settings.logs.write = {"not-crawled"};
  crawl.settings.logs.fields = {"not-crawled: url status"};
  ASSERT_TRUE(crawl.live({}));
  EXPECT_FALSE(crawl.disk.files.exists(launch_of(crawl) + "/logs/http.jsonl"));
  const std::string text = *crawl.disk.files.read_all(launch_of(crawl) + "/logs/not-crawled.jsonl");
  EXPECT_TRUE(text.ends_with("{\"url\":\"http://a.test/private/x\",\"status\":\"robots-excluded\"}\n")) << text;
}

}  // namespace
}  // namespace caddis::crawl
