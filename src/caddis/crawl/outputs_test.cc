// Each output, and what it makes of visits, candidates and events, as far as a group shows it.
#include "caddis/crawl/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/fetch_status.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/group_writer.h"
#include "caddis/crawl/crawl_log.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/crawl/error_log.h"
#include "caddis/crawl/found_seeds.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/page_list.h"
#include "caddis/crawl/progress_log.h"
#include "caddis/crawl/recovery_log.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/seen_log.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/undo_log.h"
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
  CrawlLog log("/c/crawl.log");
  visit::VisitResult over = visit_with(404);
  log.on_final(over);
  log.on_deleted(visit_with(status::kDeleted).visited.front());
  const std::string text = committed(log, "/c/crawl.log");
  EXPECT_THAT(text, HasSubstr("   404 "));
  EXPECT_THAT(text, HasSubstr(" -6000 "));
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
