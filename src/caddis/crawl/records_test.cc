// What a crawl writes beside WARC files: log lines, counters, reports, folders.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/staged_write.h"
#include "caddis/crawl/report_source.h"
#include "caddis/crawl/site_tallies.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/stop_reason.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/memory_files.h"
#include "caddis/reports/report_writer.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/streams.h"
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
  entry.body_size = 12005;
  entry.url = "http://h.example/a b";
  entry.hops = "LE";
  entry.via = "http://h.example/";
  entry.mime = "text/html";
  entry.lane = 1;
  entry.digest = "sha1:ABC";
  entry.seed = "http://h.example/";
  entry.facts.attempt = 2;
  entry.facts.body.dropped_links = 3;
  return entry;
}

std::string log_line(const visit::LogEntry& entry) {
  std::string line;
  visit::append_log_line(line, entry);
  return line;
}

// The text of a report. `facts`: of a crawl that has ended, unless others are given.
std::string text_of(const Statistics& statistics, store::Kv& kv, std::string_view name, ReportFacts facts = {}) {
  io::MemoryFiles files;
  const collection::Launch launch{"/c", "c-1"};
  if (facts.status.empty()) set_end(facts, {EndReason::finished, "finished"});
  const SeedTally seeds;
  const ReportSource source{statistics, kv, facts, files, launch, seeds};
  ReportList list;
  for (const auto add : {add_summary_report, add_site_reports, add_seed_reports, add_kind_reports, add_repeat_reports,
                         add_queue_reports, add_visit_reports, add_finding_reports})
    add(source, list);
  for (const reports::Report& report : list)
    if (report.name == name) return reports::write(reports::Format::text, report, SIZE_MAX).value_or("cannot be made");
  return "there is none";
}

// Golden: other people's scripts read these lines.
TEST(CrawlLog, HasHeritrixTwelveFields) {
  EXPECT_EQ(log_line(example()),
            "2026-11-21T00:45:00.123Z   200      12005 http://h.example/a%20b LE http://h.example/ text/html #001 "
            "20261121004500100+23 sha1:ABC http://h.example/ 2t,dol:3,content-size:12345\n");
  // Without NetarchiveSuite's annotation.
  visit::LogEntry plain = example();
  plain.facts = {};
  std::string line;
  visit::append_log_line(line, plain, false);
  EXPECT_TRUE(line.ends_with(" http://h.example/ -\n")) << line;
  EXPECT_TRUE(log_line(plain).ends_with(" http://h.example/ content-size:12345\n"));
}

// An answer without a body has the size 0, as what a server says is unchanged.
TEST(CrawlLog, ItsSizeIsThatOfTheBody) {
  visit::LogEntry entry = example();
  entry.status = 304;
  entry.size = 240;
  entry.body_size = 0;
  EXPECT_NE(log_line(entry).find("Z   304          0 http://"), std::string::npos) << log_line(entry);
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

  const auto kv = store::memory_kv(family_names());
  store::Batch batch;
  before.stage(batch, kStatistics);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  Statistics after;
  ASSERT_TRUE(after.load(*kv, kStatistics));
  EXPECT_EQ(after.documents(), 2u);
  EXPECT_EQ(after.prerequisites(), 1u);
  EXPECT_EQ(after.bytes(), 3 * 12345u);
  EXPECT_EQ(after.excluded(), 1u);
  EXPECT_EQ(after.failed(), 1u);
  EXPECT_EQ(after.running_time(), Duration(1500ms));
  EXPECT_EQ(after.rejected().at("max-hops"), 7u);
  EXPECT_EQ(after.seeds_named(), 1u);
  EXPECT_EQ(text_of(after, *kv, "mimetype-report"), "[#urls] [#bytes] [mime-types]\n3 37035 text/html\n");
  EXPECT_EQ(
      text_of(after, *kv, "responsecode-report"),
      "[#urls] [rescode] [#bytes] [words]\n3 200 37035 OK\n1 -9998 0 forbidden-by-robots.txt\n1 -2 0 no-connection\n");

  store::Batch nothing;
  after.stage(nothing, kStatistics);
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
  const auto kv = store::memory_kv(family_names());
  SiteTallies tallies(*kv);
  for (const char* const host : {"h.example", "gone.example"}) tallies.count(seed, host);
  store::Batch batch;
  statistics.stage(batch, kStatistics);
  tallies.stage(batch, 1);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  EXPECT_EQ(text_of(statistics, *kv, "seeds-report"),
            "[code] [status] [seed] [redirect] [#urls] [#bytes] [#novel-urls] [#novel-bytes] [#excluded] [#failed] "
            "[stop-reason]\n"
            "-7 NOTCRAWLED ftp://x_y/ - 0 0 0 0 0 0 failed\n"
            "404 CRAWLED http://gone.example/ - 0 0 0 0 0 0 finished\n"
            "200 CRAWLED http://h.example/ http://h.example/new 2 24690 2 24690 0 0 finished\n"
            "0 NOTCRAWLED http://later.example/ - 0 0 0 0 0 0 waiting\n"
            "0 NOTCRAWLED http://twice.example/ - 0 0 0 0 0 0 known\n");
  SeedTally tally;
  ASSERT_TRUE(each_seed_fate(*kv, kStatistics, [&](std::string_view url, const SeedFate& fate) -> Result<void> {
    tally.count(url, fate);
    return {};
  }));
  EXPECT_EQ(tally.crawled, 2u);
  EXPECT_EQ(tally.not_crawled, 3u);
  EXPECT_EQ(tally.failed, 3u);  // the one that waits, the 404, and the one that is none
  EXPECT_EQ(tally.first_known, std::vector<std::string>{"http://twice.example/"});
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
  const auto kv = std::move(*disk.open(family_names()));
  visit::LogEntry entry = example();
  const auto commit = [&](Statistics& of) {
    store::Batch batch;
    of.stage(batch, kStatistics);
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
  EXPECT_TRUE(text_of(statistics, *kv, "crawl-report").contains("\nhosts visited: 1001\n"));
  Statistics after(100);
  ASSERT_TRUE(after.load(*kv, kStatistics));
  EXPECT_EQ(after.hosts().all().size(), statistics.hosts().all().size());
  EXPECT_EQ(after.hosts().others().tally.urls, statistics.hosts().others().tally.urls);
}

TEST(Statistics, TellOfEachHostWhatWasNew) {
  const auto kv = store::memory_kv(family_names());
  Statistics before;
  SiteTallies sites(*kv);
  const auto count = [&](const visit::LogEntry& entry, std::string_view host) {
    before.count(entry, host, false, false, "");
    sites.count(entry, host);
  };
  visit::LogEntry entry = example();
  count(entry, "new.example");
  count(entry, "old.example");
  entry.is_looked_up = true;
  entry.facts.revisit = visit::RevisitFacts{.likeness = dedup::Likeness::digest};
  count(entry, "old.example");
  count(entry, "old.example");
  visit::LogEntry unchanged = example();
  unchanged.status = 304;
  unchanged.size = 100;
  unchanged.facts.revisit = visit::RevisitFacts{.is_unchanged = true};
  count(unchanged, "old.example");

  store::Batch batch;
  before.stage(batch, kStatistics);
  sites.stage(batch, 1);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  Statistics after;
  ASSERT_TRUE(after.load(*kv, kStatistics));
  for (const Statistics* statistics : {&before, &after}) {
    const std::string hosts = text_of(*statistics, *kv, "hosts-report");
    EXPECT_NE(hosts.find("\n4 37135 old.example 0 0 1 12345 2 24690 1 100 0 0 23 finished\n"), std::string::npos)
        << hosts;
    EXPECT_NE(hosts.find("\n1 12345 new.example 0 0 1 12345 0 0 0 0 0 0 23 finished\n"), std::string::npos) << hosts;
    EXPECT_EQ(text_of(*statistics, *kv, "dedup-hosts-report"),
              "[#duplicates] [#bytes] [%bytes] [#not-modified] [host]\n2 24690 66.5 1 old.example\n");
    EXPECT_TRUE(text_of(*statistics, *kv, "dedup-report").contains("Digest hits: 2 bytes: 24690\n"));
  }
}

// However many there are, they stand in the store; in memory are those of the last groups.
TEST(SiteTallies, AreRows) {
  const Statistics statistics;
  store::MemoryKvDisk disk;
  const auto kv = std::move(*disk.open(family_names()));
  auto tallies = std::make_unique<SiteTallies>(*kv);
  visit::LogEntry entry = example();
  commit::GroupNumber group = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 5; ++i) {
      entry.seed = fmt::format("http://s{}.example/", i % 2);
      tallies->count(entry, fmt::format("www.d{}.example", i));
    }
    store::Batch batch;
    tallies->stage(batch, ++group);
    ASSERT_TRUE(kv->write(batch, store::Durability::synced));
    // Another process goes on with what is there.
    if (round == 1) tallies = std::make_unique<SiteTallies>(*kv);
  }
  const std::string domains = text_of(statistics, *kv, "domains-report");
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(domains.contains(fmt::format("\n3 37035 d{}.example 0 0 3 37035 0 0 0 0 0 0 23 finished\n", i)))
        << domains;
  const std::string sources = text_of(statistics, *kv, "source-report");
  EXPECT_TRUE(sources.contains("\nhttp://s0.example/ www.d4.example 3 37035 3 37035 0 0\n")) << sources;
  EXPECT_EQ(std::ranges::count(sources, '\n'), 6) << sources;
  // "2t,dol:3": three links were left out of each.
  EXPECT_TRUE(text_of(statistics, *kv, "extraction-limits-report").contains("\nlinks-dropped www.d0.example 3 - 9\n"));
}

TEST(StoredTallies, KeepLittleInMemory) {
  StoredTallies<Finding> tallies('x', 10);
  store::MemoryKvDisk disk;
  const auto kv = std::move(*disk.open({"rows"}));
  for (commit::GroupNumber group = 1; group <= 20; ++group) {
    for (int i = 0; i < 50; ++i) tallies.of(std::to_string(i)).add({1, 2});
    store::Batch batch;
    tallies.stage(batch, 0, kv.get(), group);
    ASSERT_TRUE(kv->write(batch, store::Durability::synced));
    // Counted while the group is on its way.
    tallies.of("0").add({1, 2});
    tallies.committed(group);
    EXPECT_EQ(tallies.in_memory(), 10u) << "those that changed last stay";
  }
  EXPECT_EQ(*kv->get(0, "x49"), "20 40");
  store::Batch batch;
  tallies.stage(batch, 0, kv.get(), 21);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  EXPECT_EQ(*kv->get(0, "x0"), "40 80");
}

// A row that cannot be read now is added to later: nothing that was counted is lost.
TEST(StoredTallies, WaitForARowThatCannotBeRead) {
  StoredTallies<Finding> tallies('x', 10);
  const auto kv = store::memory_kv({"rows"});
  store::Batch before;
  before.put(0, "xa", "5 50");
  ASSERT_TRUE(kv->write(before, store::Durability::synced));
  class Broken : public store::Kv {
    Result<std::optional<std::string>> get(store::Family, std::string_view) override {
      return fail(ErrorCode::io, "no disk");
    }
    Result<void> write(const store::Batch&, store::Durability) override { return fail(ErrorCode::io, "no disk"); }
    std::unique_ptr<store::Cursor> cursor(store::Family) override { return nullptr; }
    Result<void> checkpoint(const std::string&) override { return fail(ErrorCode::io, "no disk"); }
  } broken;
  tallies.of("a").add({1, 10});
  store::Batch batch;
  tallies.stage(batch, 0, &broken, 1);
  EXPECT_TRUE(batch.empty());
  tallies.committed(1);
  tallies.stage(batch, 0, kv.get(), 2);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  EXPECT_EQ(*kv->get(0, "xa"), "6 60");
}

// The group waits for the row: at the last one there is no next call.
TEST(SiteTallies, HoldAGroupBackUntilTheirRowsCanBeRead) {
  class Broken final : public store::Kv {
   public:
    explicit Broken(store::Kv& whole) : whole_(whole) {}
    Result<std::optional<std::string>> get(store::Family family, std::string_view key) override {
      return is_broken ? fail(ErrorCode::io, "no disk") : whole_.get(family, key);
    }
    Result<void> write(const store::Batch& batch, store::Durability durability) override {
      return whole_.write(batch, durability);
    }
    std::unique_ptr<store::Cursor> cursor(store::Family family) override { return whole_.cursor(family); }
    Result<void> checkpoint(const std::string&) override { return fail(ErrorCode::io, "no disk"); }
    bool is_broken = false;

   private:
    store::Kv& whole_;
  };
  const auto kv = store::memory_kv(family_names());
  Broken broken(*kv);
  SiteTallies before(*kv), tallies(broken);
  before.count(example(), "h.example");
  store::Batch rows;
  before.stage(rows, 1);
  ASSERT_TRUE(kv->write(rows, store::Durability::synced));
  tallies.count(example(), "h.example");
  broken.is_broken = true;
  commit::CommitGroup group({.number = 1});
  tallies.stage(group);
  ASSERT_EQ(group.writes().size(), 1u);
  io::MemoryFiles files;
  const auto streams = std::move(*store::StreamSet::open(files, *kv, kStreams, "/orphans"));
  commit::GroupOutput out(*streams, *kv);
  EXPECT_FALSE(group.writes()[0]->append(out));
  broken.is_broken = false;
  ASSERT_TRUE(group.writes()[0]->append(out));
  group.writes()[0]->seal(out, group);
  ASSERT_TRUE(kv->write(group.batch(), store::Durability::synced));
  FetchTally tally;
  read_row(**kv->get(kStatistics, "Hh.example"), tally);
  EXPECT_EQ(tally.urls, 2u);
}

TEST(StopReason, SaysWhatEndedIt) {
  ReportFacts facts;
  set_end(facts, {EndReason::finished, "finished"});
  const Waiting some{3, ""}, held{3, "server-bytes"}, retired{3, "operator"}, by_setting{3, "setting:frontier.retire"};
  FetchTally tally;
  tally.urls = 1;
  EXPECT_EQ(stop_reason(tally, nullptr, true, facts), "finished");
  EXPECT_EQ(stop_reason(tally, &held, true, facts), "quota:server-bytes");
  EXPECT_EQ(stop_reason(tally, &retired, true, facts), "operator");
  EXPECT_EQ(stop_reason(tally, &by_setting, true, facts), "setting:frontier.retire");
  const std::pair<int, std::pair<const char*, const char*>> kGivenUp[] = {
      {-5003, {"Q:host-successes", "quota:host-successes"}},
      {-5004, {"limit:max-documents", "limit:max-documents"}},
      {-6000, {"", "operator"}}};
  for (const auto& [status, words] : kGivenUp) {
    FetchTally given_up;
    visit::LogEntry entry = example();
    given_up.count(entry);
    entry.status = status;
    entry.facts.given_up = words.first;
    given_up.count(entry);
    EXPECT_EQ(stop_reason(given_up, nullptr, true, facts), words.second);
    FetchTally read;
    read_row(to_row(given_up), read);
    EXPECT_EQ(to_row(read), to_row(given_up));
    EXPECT_EQ(stop_reason(read, nullptr, true, facts), words.second);
  }
  FetchTally failed, forbidden;
  failed.failed = 1;
  forbidden.excluded = forbidden.given_up.robots = 1;
  EXPECT_EQ(stop_reason(failed, nullptr, true, facts), "failed");
  EXPECT_EQ(stop_reason(forbidden, nullptr, true, facts), "robots");
  ReportFacts limited;
  set_end(limited, {EndReason::limit, "reached max-documents (15)", "max-documents"});
  EXPECT_EQ(limited.status, "Finished - Maximum number of documents limit hit; reached max-documents (15)");
  EXPECT_EQ(stop_reason(tally, &some, true, limited), "limit:max-documents");
  ReportFacts running;
  EXPECT_EQ(stop_reason(tally, &some, true, running), "waiting");
  EXPECT_EQ(stop_reason(tally, nullptr, true, running), "idle");
}

// Not to know is not to say that nothing waits, as long as anything does.
TEST(StopReason, IsTheCrawlsOwnIfItIsNotKnownWhetherAnythingWaits) {
  FetchTally tally, blocked;
  tally.urls = 1;
  blocked.given_up.quota = 1;
  blocked.given_up.reason = "server-bytes";
  ReportFacts running;
  running.frontier.queued = 1;
  ReportFacts limited = running, finished = running;
  set_end(limited, {EndReason::limit, "reached max-time (1h)", "max-time"});
  set_end(finished, {EndReason::finished, "finished; 1 URL waits, since quotas are used up"});
  EXPECT_EQ(stop_reason(tally, nullptr, false, running), "waiting");
  EXPECT_EQ(stop_reason(tally, nullptr, false, limited), "limit:max-time");
  EXPECT_EQ(stop_reason(tally, nullptr, false, finished), "waiting");
  EXPECT_EQ(stop_reason(tally, nullptr, true, finished), "finished");
  EXPECT_EQ(stop_reason(blocked, nullptr, false, limited), "quota:server-bytes");
  limited.frontier.queued = 0;
  EXPECT_EQ(stop_reason(tally, nullptr, false, limited), "finished");
}

TEST(StopReason, IsNotKnownOfNamesThatAreTooMany) {
  ReportFacts facts;
  facts.frontier.queued = 3;
  facts.hosts["a.example"].urls = 3;
  facts.seeds["http://a.example/"].urls = 2;
  judge_names(facts);
  EXPECT_TRUE(facts.knows_hosts);
  EXPECT_FALSE(facts.knows_domains);
  EXPECT_FALSE(facts.knows_seeds);
}

// A status is read back as it was meant.
TEST(RecordedEnd, EndsByWhatItEndedBy) {
  const CrawlEnd kEnds[] = {{EndReason::finished, "finished"},
                            {EndReason::finished, "finished; 1 URL waits, since quotas are used up"},
                            {EndReason::limit, "reached max-novel-bytes (1 GB)", "max-novel-bytes"},
                            {EndReason::stopped, "interrupted"},
                            {EndReason::failed, "no disk"}};
  for (const CrawlEnd& end : kEnds) {
    ReportFacts facts, recorded;
    set_end(facts, end);
    set_recorded_end(recorded, facts.status);
    EXPECT_EQ(recorded.status, facts.status);
    EXPECT_EQ(recorded.ended_by, facts.ended_by) << facts.status;
    EXPECT_TRUE(recorded.is_over);
  }
}

TEST(FrontierNonemptyReport, CountsTheQueuesThatItLeavesOut) {
  const Statistics statistics;
  const auto kv = store::memory_kv(family_names());
  ReportFacts facts;
  set_end(facts, {EndReason::finished, "finished"});
  facts.queues_left_out = 7;
  facts.urls_left_out = 90;
  EXPECT_TRUE(text_of(statistics, *kv, "frontier-nonempty-report", facts)
                  .ends_with("\n7-other-queues - 90 - - -() - - /- - - - not-listed\n"))
      << text_of(statistics, *kv, "frontier-nonempty-report", facts);
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
