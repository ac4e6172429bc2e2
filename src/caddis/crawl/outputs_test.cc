// Each output, and what it makes of visits, candidates and events, as far as a group shows it.
#include "caddis/crawl/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/group_writer.h"
#include "caddis/crawl/alert_log.h"
#include "caddis/crawl/crawl_log.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/crawl/error_log.h"
#include "caddis/crawl/found_seeds.h"
#include "caddis/crawl/job_log.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/log_rotation.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/page_list.h"
#include "caddis/crawl/progress_line.h"
#include "caddis/crawl/progress_log.h"
#include "caddis/crawl/recovery_log.h"
#include "caddis/crawl/runtime_log.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/seen_log.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/undo_log.h"
#include "caddis/crawl/uri_error_log.h"
#include "caddis/frontier/frontier.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/repair/group_undo.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/streams.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kUrl = "http://me:secret@a.test/x";

visit::VisitResult visit_with(FetchStatus status) {
  visit::VisitResult result;
  frontier::Lease& lease = result.disposition.lease;
  lease.candidate.url = kUrl;
  lease.candidate.via = "http://a.test/";
  lease.candidate.hops = "L";
  lease.host = "a.test";
  result.disposition.status = status;
  visit::LoggedVisit& logged = result.visited.emplace_back();
  logged.entry.url = "http://a.test/x";
  logged.entry.status = status;
  logged.host = "a.test";
  result.reason = "connection refused";
  return result;
}

class OutputTest : public testing::Test {
 protected:
  // Stages the output and commits the group. Returns what then stands in `path`.
  std::string committed(commit::CommitParticipant& output, const std::string& path) {
    EXPECT_TRUE(output.open(*streams_));
    commit(output);
    return *files_.read_all(path);
  }
  void commit(commit::CommitParticipant& output) {
    commit::CommitGroup group({.number = 1});
    output.stage(group);
    EXPECT_EQ(commit::GroupWriter(*streams_, *kv_).write(group).fate, commit::GroupWriter::Fate::committed);
  }
  std::string row(std::string_view key) { return kv_->get(kMeta, key)->value_or("(none)"); }

  io::MemoryFiles files_;
  std::unique_ptr<store::Kv> kv_ = store::memory_kv(family_names());
  std::unique_ptr<store::StreamSet> streams_ = *store::StreamSet::open(files_, *kv_, kStreams, "/c/orphans");
};

TEST_F(OutputTest, CrawlLogHasWhatIsOver) {
  const config::LogSettings settings;
  CrawlLog log("/c/crawl.log", settings);
  visit::VisitResult over = visit_with(404);
  log.on_final(over);
  log.on_deleted(visit_with(status::kDeleted).visited.front());
  const std::string text = committed(log, "/c/crawl.log");
  EXPECT_THAT(text, HasSubstr("   404 "));
  EXPECT_THAT(text, HasSubstr(" -6000 "));
}

// As Heritrix writes them with logExtraInfo, an empty object included.
TEST_F(OutputTest, CrawlLogSaysWhereCapturesLie) {
  config::LogSettings settings;
  settings.extra_info = true;
  settings.content_size = false;
  CrawlLog log("/c/crawl.log", settings);
  // The writers of the archive learn the place while the group is written, before the log.
  const auto visit = [&](FetchStatus status, visit::WrittenAt place) {
    visit::VisitResult over = visit_with(status);
    over.visited.back().entry.size = status > 1 ? 500 : 60;
    if (is_success(status)) over.visited.back().place = std::make_shared<visit::WrittenAt>(std::move(place));
    log.on_final(over);
  };
  visit(200, {"A-0.warc.gz", 1234});
  visit(status::kDnsOk, {"A-0.warc.gz", 0});
  visit(status::kConnectFailed, {});
  visit(404, {});
  visit(200, {"A-0.arc.gz", 77});
  std::vector<std::string> extra;
  for (const std::string_view line : split(committed(log, "/c/crawl.log"), '\n'))
    if (!line.empty()) extra.emplace_back(line.substr(line.rfind(" - ") + 3));
  EXPECT_THAT(extra,
              testing::ElementsAre(R"({"contentSize":500,"warcFilename":"A-0.warc.gz","warcFileOffset":1234})",
                                   R"({"warcFilename":"A-0.warc.gz","warcFileOffset":0})", "{}",
                                   R"({"contentSize":500})", R"({"contentSize":500,"arcFilename":"A-0.arc.gz"})"));
}

TEST_F(OutputTest, UriErrorsAreInHeritrixsForm) {
  ManualClock clock;
  clock.jump_wall(*parse_timestamp("20260102030405006"));
  config::LogSettings settings;
  UriErrorLog log("/c/uri-errors.log", clock, settings);
  visit::VisitResult over = visit_with(200);
  over.bad_links = {{"http://b.test:x/", "invalid port"}, {"irc://c.test/\n1", "unsupported scheme: irc"}};
  log.on_final(over);
  settings.uri_errors = false;
  log.on_final(over);
  EXPECT_EQ(committed(log, "/c/uri-errors.log"),
            "2026-01-02T03:04:05.006Z http://a.test/x \"invalid port\" http://b.test:x/\n"
            "2026-01-02T03:04:05.006Z http://a.test/x \"unsupported scheme: irc\" irc://c.test/\\n1\n");
}

TEST_F(OutputTest, RuntimeErrorsAreOurs) {
  RuntimeLog log("/c/runtime-errors.log");
  for (const FetchStatus status : {200, status::kConnectFailed, status::kRuntimeException, status::kSevereError}) {
    visit::VisitResult over = visit_with(status);
    log.on_final(over);
  }
  visit::VisitResult again = visit_with(200);
  log.on_retry(again);
  again.disposition.local_failure = true;
  log.on_retry(again);
  const std::string text = committed(log, "/c/runtime-errors.log");
  EXPECT_EQ(std::ranges::count(text, '\n'), 3) << text;
  EXPECT_THAT(text, HasSubstr("    -5 "));
  EXPECT_THAT(text, HasSubstr(" -3000 "));
  EXPECT_THAT(text, HasSubstr("   200 "));
}

TEST_F(OutputTest, AlertsAreInTheFormOfJava) {
  ManualClock clock;
  clock.jump_wall(*parse_timestamp("20260102150405006"));
  AlertLog alerts("/c/alerts.log", clock);
  JobLog job("/c/job.log", "20260102030405", clock);
  log_warn("commit", "the disk is {}", "full\n");
  log_error("crawl", "lost");
  CrawlEvents events;
  events.add(job);
  events.tell(CrawlEvent::Source::state, "RUNNING - Running");
  events.tell(CrawlEvent::Source::checkpoint, "cp1");
  events.tell(CrawlEvent::Source::state, "ENDED - Finished");
  EXPECT_EQ(committed(alerts, "/c/alerts.log"),
            "Jan 02, 2026 3:04:05 PM caddis.commit\nWARNING: the disk is full\\n\n"
            "Jan 02, 2026 3:04:05 PM caddis.crawl\nSEVERE: lost\n");
  EXPECT_EQ(committed(job, "/c/job.log"),
            "2026-01-02T15:04:05.006Z INFO Job launched\n"
            "2026-01-02T15:04:05.006Z WARNING commit: the disk is full\\n\n"
            "2026-01-02T15:04:05.006Z SEVERE crawl: lost\n"
            "2026-01-02T15:04:05.006Z INFO RUNNING 20260102030405\n"
            "2026-01-02T15:04:05.006Z INFO CHECKPOINTED cp1\n"
            "2026-01-02T15:04:05.006Z INFO FINISHED 20260102030405\n");
}

// As CrawlStatSnapshot of Heritrix pads them.
TEST(ProgressLine, HasHeritrixsColumns) {
  ProgressColumns of{.time = *parse_timestamp("20260102030405006"),
                     .discovered = 5,
                     .queued = 3,
                     .downloaded = 2,
                     .documents_per_second = 0.5,
                     .documents_per_second_average = 1234.567,
                     .bytes_per_second = 10239,
                     .bytes_per_second_average = 2048,
                     .failed = 1,
                     .visiting = 7,
                     .memory = 4096,
                     .memory_allowed = 1 << 20,
                     .congestion = 2.25,
                     .deepest = 9,
                     .average = 4};
  EXPECT_EQ(progress_line(of),
            "2026-01-02T03:04:05Z           5           3            2    0.5(1,234.57)       9(2)             1"
            "             7            4          1024         2.25           9           4");
  EXPECT_EQ(kProgressHeader.size(), progress_line(of).size());
  of.congestion = std::numeric_limits<double>::quiet_NaN();
  of.discovered = 123'456'789'012;  // wider than its column
  EXPECT_THAT(progress_line(of), HasSubstr("Z 123456789012          3 "));
  EXPECT_THAT(progress_line(of), HasSubstr(" NaN "));
}

TEST(ProgressLine, SaysHowACrawlHasEndedInHeritrixsWords) {
  EXPECT_EQ(end_words({EndReason::finished, "finished"}), "Finished");
  EXPECT_EQ(end_words({EndReason::stopped, "by somebody"}), "Finished - Ended by operator");
  EXPECT_EQ(end_words({EndReason::limit, "…", "max-time"}), "Finished - Timelimit hit");
  EXPECT_EQ(end_words({EndReason::limit, "…", "max-documents"}), "Finished - Maximum number of documents limit hit");
}

TEST(ProgressLine, CongestionIsARatioOfQueues) {
  using frontier::QueueState;
  frontier::QueueStates queues;
  EXPECT_TRUE(std::isnan(congestion(queues)));
  queues.states = {{QueueState::ready, 6, 60}, {QueueState::retired, 9, 90}};
  EXPECT_TRUE(std::isinf(congestion(queues)));
  queues.states.push_back({QueueState::being_visited, 1, 1});
  queues.states.push_back({QueueState::politeness, 3, 1});
  EXPECT_EQ(congestion(queues), 2.5);
}

// Each group that finds a file long enough lets the log go on in another one.
TEST_F(OutputTest, LogsOfVisitsGoOnInOtherFiles) {
  ManualClock clock;
  clock.jump_wall(*parse_timestamp("20260102230000"));
  config::LogSettings settings;
  LogRotation rotation(clock, settings, 2);
  CrawlLog log("/c/logs/crawl.log", settings);
  ASSERT_TRUE(log.open(*streams_));
  const auto group = [&](bool closes = false) {
    visit::VisitResult over = visit_with(200);
    log.on_final(over);
    commit::CommitGroup one({.number = 1, .closes_files = closes});
    rotation.stage(one);
    log.stage(one);
    EXPECT_EQ(commit::GroupWriter(*streams_, *kv_).write(one).fate, commit::GroupWriter::Fate::committed);
  };
  const auto parts = [&] {
    std::vector<std::string> names;
    for (const io::DirectoryEntry& entry : *files_.list("/c/logs")) names.push_back(entry.name);
    return names;
  };
  group();
  group();
  EXPECT_THAT(parts(), testing::ElementsAre("crawl.log"));
  settings.roll_size = 100;
  group();
  EXPECT_THAT(parts(), testing::ElementsAre("crawl.log", "crawl.log.2", "crawl.log.gz"))
      << "packed, and there as it was for two more commits";
  settings.roll_size = 0;
  group();
  group();
  group();
  EXPECT_THAT(parts(), testing::ElementsAre("crawl.log.2", "crawl.log.gz"));
  const std::string first = *io::gunzip_all(*files_.read_all("/c/logs/crawl.log.gz"), 1 << 20);
  EXPECT_EQ(std::ranges::count(first, '\n'), 2);
  EXPECT_EQ(std::ranges::count(*files_.read_all("/c/logs/crawl.log.2"), '\n'), 4);

  settings.pack = false;
  settings.roll_at_checkpoint = true;
  group(true);
  EXPECT_FALSE(files_.exists("/c/logs/crawl.log.3")) << "the lines of its group stand before a checkpoint";
  group();
  EXPECT_TRUE(files_.exists("/c/logs/crawl.log.3"));
  settings.roll_every = config::RollEvery::day;
  group();
  EXPECT_FALSE(files_.exists("/c/logs/crawl.log.4"));
  clock.advance(std::chrono::hours(2));
  group();
  EXPECT_TRUE(files_.exists("/c/logs/crawl.log.4"));
  EXPECT_TRUE(files_.exists("/c/logs/crawl.log.2")) << "not packed";
  EXPECT_EQ(row(kLogDayRow), "20260103");
}

TEST_F(OutputTest, ErrorLogHasTriesThatAreRepeatedAndWhy) {
  ErrorLog log("/c/errors");
  log.on_retry(visit_with(status::kConnectFailed));
  visit::VisitResult over = visit_with(200);
  log.on_final(over);
  const std::string text = committed(log, "/c/errors");
  EXPECT_THAT(text, HasSubstr("    -2 "));
  EXPECT_THAT(text, EndsWith("connection%20refused\n"));
  EXPECT_EQ(text.find("200"), std::string::npos);
}

TEST_F(OutputTest, ProgressLogKeepsAnEventOnOneLine) {
  ManualClock clock;
  ProgressLog log("/c/progress", clock);
  CrawlEvents events;
  events.add(log);
  events.tell(CrawlEvent::Source::operated, "pauses\nthe crawl");
  events.tell(CrawlEvent::Source::checkpoint, "before");
  events.tell_progress("1 2 3");
  const std::string text = committed(log, "/c/progress");
  EXPECT_EQ(std::ranges::count(text, '\n'), 3);
  EXPECT_THAT(text, HasSubstr("Z OPERATOR pauses"));
  EXPECT_THAT(text, HasSubstr("Z CHECKPOINT before\n"));
  EXPECT_THAT(text, EndsWith("\n1 2 3\n"));
}

TEST_F(OutputTest, PageListHasPages) {
  PageList pages("/c/pages");
  visit::VisitResult page = visit_with(200), image = visit_with(200);
  page.page_line = "{\"url\":\"http://a.test/x\"}\n";
  pages.on_final(page);
  pages.on_final(image);
  EXPECT_EQ(committed(pages, "/c/pages"), page.page_line);
}

TEST_F(OutputTest, RecoveryLogTellsEndsByTheTableOfStatuses) {
  RecoveryLog log("/c/recover.gz");
  for (const FetchStatus status : {200, status::kRobotsPrecluded, status::kDomainPrerequisiteFailed}) {
    visit::VisitResult over = visit_with(status);
    log.on_final(over);
  }
  log.on_retry(visit_with(status::kTimeout));
  const std::string text = *io::gunzip_all(committed(log, "/c/recover.gz"), 1 << 20);
  EXPECT_EQ(text,
            "Fs http://a.test/x L http://a.test/\nFd http://a.test/x L http://a.test/\n"
            "Ff http://a.test/x L http://a.test/\nFr http://a.test/x L http://a.test/\n");
}

TEST_F(OutputTest, SeenLogAndUndoRowHoldTheSameRows) {
  store::SeenSet seen;
  SeenLog log("/c/seen", seen, 64);
  UndoLog undo({.first = 1, .next = 3, .most = 2});
  ASSERT_TRUE(log.open(*streams_));
  const uint64_t fingerprints[] = {5, 6};
  log.on_new(fingerprints);
  visit::VisitResult over = visit_with(200);
  undo.on_final(over);
  commit::CommitGroup group({.number = 1});
  log.stage(group);
  undo.stage(group);
  ASSERT_EQ(commit::GroupWriter(*streams_, *kv_).write(group).fate, commit::GroupWriter::Fate::committed);
  const auto read = repair::decode_group_undo(row(repair::group_row(3)));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->seen, *files_.read_all("/c/seen"));
  ASSERT_EQ(read->visits.size(), 1u);
  EXPECT_EQ(read->visits.front().candidate.url, kUrl);
  // Where the group began: before anything was written.
  ASSERT_EQ(read->before.size(), 1u);
  EXPECT_EQ(read->before.front().length, 0u);
}

TEST_F(OutputTest, UndoLogLetsGoOfTheOldestRow) {
  UndoLog undo({.first = 1, .next = 1, .most = 2});
  for (int i = 0; i < 3; ++i) commit(undo);
  EXPECT_EQ(row(repair::group_row(1)), "(none)");
  EXPECT_NE(row(repair::group_row(2)), "(none)");
  EXPECT_NE(row(repair::group_row(3)), "(none)");
}

TEST_F(OutputTest, FoundSeedsLeaveTheRowsOfThoseThatPeopleHaveNamed) {
  MetaRows rows;
  Statistics statistics;
  SeedRows seeds(*kv_);
  FoundSeeds found(rows, seeds, statistics);
  seeds.put("http://named.test/", kListedSeed);
  visit::VisitResult redirected = visit_with(301);
  redirected.new_seeds = {"http://named.test/", "http://found.test/"};
  redirected.new_ranges = {"192.0.2.0/24"};
  found.on_final(redirected);
  commit(rows);
  commit(seeds);
  EXPECT_EQ(row(std::string(kSeedRow) + "http://found.test/"), kFoundSeed);
  EXPECT_EQ(row(std::string(kSeedRow) + "http://named.test/"), kListedSeed);
  EXPECT_EQ(row(std::string(kRangeRow) + "192.0.2.0/24"), "a.test");
  EXPECT_EQ(statistics.seeds().take_added(), 1u);
  // From the store, too.
  found.on_final(redirected);
  EXPECT_EQ(statistics.seeds().take_added(), 0u);
}

TEST_F(OutputTest, SeedsAreKnownBeforeTheyAreOnDisk) {
  SeedRows seeds(*kv_);
  seeds.put("http://a.test/", kFoundSeed);
  EXPECT_EQ(**seeds.origin("http://a.test/"), kFoundSeed);
  commit::CommitGroup group(commit::CommitGroup::Facts{.number = 1});
  seeds.stage(group);
  seeds.put("http://a.test/", kListedSeed);
  seeds.put("http://b.test/", kOperatorSeed);
  EXPECT_EQ(**seeds.origin("http://a.test/"), kListedSeed);
  EXPECT_EQ(seeds.uncommitted(), (SeedRows::Rows{{"http://a.test/", std::string(kListedSeed)},
                                                 {"http://b.test/", std::string(kOperatorSeed)}}));
  ASSERT_TRUE(kv_->write(group.batch(), store::Durability::synced));
  seeds.committed(1);
  EXPECT_EQ(**seeds.origin("http://a.test/"), kListedSeed);
  EXPECT_EQ(*seeds.origin("http://c.test/"), std::nullopt);
  std::set<std::string> on_disk;
  ASSERT_TRUE(each_seed(*kv_, [&](const url::Url& seed, std::string_view) { on_disk.emplace(seed.href()); }));
  EXPECT_EQ(on_disk, (std::set<std::string>{"http://a.test/"}));
}

TEST_F(OutputTest, StatisticsCountByTheTableOfStatuses) {
  Statistics statistics;
  for (const FetchStatus status :
       {200, 404, status::kTooManyRedirects, status::kInterrupted, status::kDeleted, status::kConnectFailed}) {
    visit::VisitResult over = visit_with(status);
    statistics.on_final(over);
  }
  EXPECT_EQ(statistics.documents(), 2u);
  EXPECT_EQ(statistics.excluded(), 3u);
  EXPECT_EQ(statistics.failed(), 1u);
}

}  // namespace
}  // namespace caddis::crawl
