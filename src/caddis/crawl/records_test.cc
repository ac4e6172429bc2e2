// What a crawl writes beside WARC files: log lines, counters, reports, folders.

#include <gtest/gtest.h>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/reports.h"
#include "caddis/crawl/statistics.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "caddis/visit/log_entry.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;

visit::LogEntry example() {
  visit::LogEntry entry;
  entry.finished = *parse_timestamp("20261121004500123");
  entry.started = *parse_timestamp("20261121004500100");
  entry.duration = 23ms;
  entry.status = 200;
  entry.size = 12345;
  entry.url = "http://h.example/a b";
  entry.hops = "LE";
  entry.via = "http://h.example/";
  entry.mime = "text/html";
  entry.lane = 1;
  entry.digest = "sha1:ABC";
  entry.seed = "http://h.example/";
  entry.annotations = {"2t", "dol:3"};
  return entry;
}

std::string log_line(const visit::LogEntry& entry) {
  std::string line;
  visit::append_log_line(line, entry);
  return line;
}

// Golden: other people's scripts read these lines.
TEST(CrawlLog, HasHeritrixTwelveFields) {
  EXPECT_EQ(log_line(example()),
            "2026-11-21T00:45:00.123Z   200      12345 http://h.example/a%20b LE http://h.example/ text/html #001 "
            "20261121004500100+23 sha1:ABC http://h.example/ 2t,dol:3\n");
}

TEST(CrawlLog, EmptyFieldsAreDashes) {
  visit::LogEntry entry;
  entry.finished = entry.started = *parse_timestamp("20261121004500123");
  entry.status = -9998;
  entry.url = "http://h.example/";
  EXPECT_EQ(log_line(entry), "2026-11-21T00:45:00.123Z -9998          - http://h.example/ - - unknown #000 - - - -\n");
}

TEST(CrawlLog, ErrorLinesEndWithTheReason) {
  std::string lines = "before\n";
  visit::append_error_line(lines, example(), "no answer in time");
  std::string line = log_line(example());
  line.back() = ' ';
  EXPECT_EQ(lines, "before\n" + line + "no%20answer%20in%20time\n");
}

TEST(CrawlLog, LongHopPathsAreShortened) {
  visit::LogEntry entry = example();
  entry.hops = std::string(62, 'L') + "E";
  EXPECT_NE(log_line(entry).find(" 13+" + std::string(49, 'L') + "E "), std::string::npos);
}

TEST(Statistics, SurviveInTheStore) {
  Statistics before;
  before.seeds().add("http://h.example/");
  visit::LogEntry seed = example();
  seed.url = "http://h.example/";
  before.count(seed, "h.example", false, true, "http://h.example/new");
  before.count(example(), "h.example", false, false, "");
  visit::LogEntry robots = example();
  before.count(robots, "h.example", true, false, "");
  visit::LogEntry excluded = example();
  excluded.status = -9998;
  before.count(excluded, "h.example", false, false, "");
  visit::LogEntry failed = example();
  failed.status = -2;
  before.count(failed, "dead.example", false, false, "");
  before.count_rejected("max-hops", 7);
  before.on_running_time(1500ms);

  const auto kv = store::memory_kv({"statistics"});
  store::Batch batch;
  before.stage(batch, 0);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  Statistics after;
  ASSERT_TRUE(after.load(*kv, 0));
  EXPECT_EQ(after.documents(), 2u);
  EXPECT_EQ(after.prerequisites(), 1u);
  EXPECT_EQ(after.bytes(), 3 * 12345u);
  EXPECT_EQ(after.excluded(), 1u);
  EXPECT_EQ(after.failed(), 1u);
  EXPECT_EQ(after.running_time(), Duration(1500ms));
  EXPECT_EQ(after.rejected().at("max-hops"), 7u);
  EXPECT_EQ(after.seeds_named(), 1u);
  EXPECT_EQ(hosts_report(after), hosts_report(before));
  EXPECT_EQ(mimetype_report(after), "[#urls] [#bytes] [mime-types]\n3 37035 text/html\n");
  EXPECT_EQ(responsecode_report(after), "[#urls] [rescode]\n3 200\n1 -9998\n1 -2\n");

  store::Batch nothing;
  after.stage(nothing, 0);
  EXPECT_TRUE(nothing.empty()) << "only what changed is written";
}

// However many they are: from the rows, in the order of their URLs.
TEST(Statistics, TheReportOfSeedsIsWrittenFromTheStore) {
  Statistics statistics;
  statistics.seeds().add("http://later.example/");
  statistics.seeds().add("http://twice.example/", true);
  statistics.seeds().add("http://h.example/");
  visit::LogEntry seed = example();
  seed.url = "http://h.example/";
  statistics.count(seed, "h.example", false, true, "http://h.example/new");
  seed.url = "http://gone.example/";
  seed.status = 404;
  statistics.count(seed, "gone.example", false, true, "");
  statistics.seeds().add_unusable("ftp://x y/");
  const auto kv = store::memory_kv({"statistics"});
  store::Batch batch;
  statistics.stage(batch, 0);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  io::MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/reports"));
  const auto tally = write_seeds_report(files, "/reports/seeds-report.txt", *kv, 0);
  ASSERT_TRUE(tally) << tally.error().message;
  EXPECT_EQ(*files.read_all("/reports/seeds-report.txt"),
            "[code] [status] [seed] [redirect]\n"
            "-7 NOTCRAWLED ftp://x_y/ -\n"
            "404 CRAWLED http://gone.example/ -\n"
            "200 CRAWLED http://h.example/ http://h.example/new\n"
            "0 NOTCRAWLED http://later.example/ -\n"
            "0 NOTCRAWLED http://twice.example/ -\n");
  EXPECT_EQ(tally->crawled, 2u);
  EXPECT_EQ(tally->not_crawled, 3u);
  EXPECT_EQ(tally->failed, 3u);  // the one that waits, the 404, and the one that is none
  EXPECT_EQ(tally->first_known, std::vector<std::string>{"http://twice.example/"});
}

TEST(Statistics, ADnsAnswerIsNoCaptureOfItsHost) {
  Statistics statistics;
  visit::LogEntry entry = example();
  entry.status = 1;
  statistics.count(entry, "dead.example", true, false, "");
  entry.status = -2;
  statistics.count(entry, "dead.example", false, false, "");
  EXPECT_EQ(statistics.prerequisites(), 1u);
  EXPECT_EQ(statistics.hosts().all().at("dead.example").urls, 0u);
  EXPECT_EQ(statistics.hosts().all().at("dead.example").failed, 1u);
}

TEST(Statistics, HoldManyHostsInBoundedMemory) {
  Statistics statistics(100);
  store::MemoryKvDisk disk;
  const auto kv = std::move(*disk.open({"statistics"}));
  visit::LogEntry entry = example();
  const auto commit = [&](Statistics& of) {
    store::Batch batch;
    of.stage(batch, 0);
    ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  };
  for (int i = 0; i < 3; ++i) statistics.count(entry, "busy.example", false, false, "");
  for (int i = 0; i < 1000; ++i) {
    statistics.count(entry, "h" + std::to_string(i) + ".example", false, false, "");
    if (i % 7 == 0) commit(statistics);
  }
  commit(statistics);
  EXPECT_LE(statistics.hosts().all().size(), 100u);
  EXPECT_EQ(statistics.hosts().all().at("busy.example").urls, 3u);
  EXPECT_EQ(statistics.hosts().all().size() + statistics.hosts().others().hosts, 1001u);
  EXPECT_EQ(statistics.hosts().others().tally.urls, statistics.hosts().others().hosts);
  EXPECT_NE(crawl_report(statistics, {}, {"c", "Finished", 0}).find("Total Hosts Crawled: 1001\n"), std::string::npos);
  const std::string others = std::to_string(statistics.hosts().others().hosts);
  EXPECT_NE(hosts_report(statistics).find(" other-hosts:" + others + " 0 0 23 " + others + " "), std::string::npos);

  Statistics after(100);
  ASSERT_TRUE(after.load(*kv, 0));
  EXPECT_EQ(hosts_report(after), hosts_report(statistics));
}

TEST(Statistics, TellOfEachHostWhatWasNew) {
  Statistics before;
  visit::LogEntry entry = example();
  before.count(entry, "new.example", false, false, "");
  before.count(entry, "old.example", false, false, "");
  entry.is_looked_up = true;
  entry.repeats = dedup::Likeness::digest;
  before.count(entry, "old.example", false, false, "");
  before.count(entry, "old.example", false, false, "");
  visit::LogEntry unchanged = example();
  unchanged.status = 304;
  unchanged.size = 100;
  unchanged.is_unchanged = true;
  before.count(unchanged, "old.example", false, false, "");

  const auto kv = store::memory_kv({"statistics"});
  store::Batch batch;
  before.stage(batch, 0);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  Statistics after;
  ASSERT_TRUE(after.load(*kv, 0));
  for (const Statistics* statistics : {&before, &after}) {
    const std::string hosts = hosts_report(*statistics);
    EXPECT_NE(hosts.find("\n4 37135 old.example 0 0 23 1 12345 2 24690 1 100\n"), std::string::npos) << hosts;
    EXPECT_NE(hosts.find("\n1 12345 new.example 0 0 23 1 12345 0 0 0 0\n"), std::string::npos) << hosts;
    const std::string dedup = dedup_report(*statistics, {});
    EXPECT_TRUE(dedup.ends_with("[host]\n2 24690 66.5 1 old.example\n")) << dedup;
  }
  EXPECT_FALSE(dedup_report(Statistics(), {}).contains("[host]"));
}

TEST(Statistics, NamesOfTypesAreTheServersAndAreBounded) {
  Statistics statistics;
  visit::LogEntry entry = example();
  const auto count = [&](std::string mime) {
    entry.mime = std::move(mime);
    statistics.count(entry, "h.example", false, false, "");
  };
  count("text/" + std::string(5000, 'x'));
  for (size_t i = 0; i < 2 * Statistics::kMaxMimes; ++i) count("x/" + std::to_string(i));
  count("x/0");
  EXPECT_LE(statistics.mimes().size(), Statistics::kMaxMimes + 1);
  EXPECT_EQ(statistics.mimes().at("x/0").urls, 2u);
  EXPECT_GT(statistics.mimes().at("other").urls, Statistics::kMaxMimes);
}

}  // namespace
}  // namespace caddis::crawl
