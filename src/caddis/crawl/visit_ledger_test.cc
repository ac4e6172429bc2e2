// The dispatch between visits, frontier and listeners, with a frontier that answers as it is told.
#include "caddis/crawl/visit_ledger.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/sim.h"
#include "caddis/base/fetch_status.h"
#include "caddis/commit/committer.h"
#include "caddis/frontier/url_ledger.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/seen.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

using frontier::ScheduleAnswer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FakeFrontier final : public frontier::UrlLedger {
 public:
  explicit FakeFrontier(std::vector<std::string>& history) : history_(history) {}

  frontier::Outcome finish(const frontier::Disposition& disposition) override {
    history_.push_back("finish " + disposition.lease.candidate.url);
    return outcome;
  }
  Result<frontier::ScheduleResult> schedule(std::vector<frontier::ScheduledUrl> urls) override {
    if (fails) return fail(ErrorCode::corrupt, "a run is damaged");
    frontier::ScheduleResult result;
    for (const frontier::ScheduledUrl& url : urls) {
      result.answers.push_back(answers.empty() ? ScheduleAnswer::accepted : answers.front());
      if (!answers.empty()) answers.pop_front();
      if (result.answers.back() == ScheduleAnswer::accepted) result.new_fingerprints.push_back(url.fingerprint);
    }
    return result;
  }
  Result<std::vector<uint64_t>> remember(std::span<const uint64_t> fingerprints) override {
    if (fails) return fail(ErrorCode::corrupt, "a run is damaged");
    return std::vector<uint64_t>(fingerprints.begin(), fingerprints.end());
  }
  uint64_t stage(store::Batch&) override { return 0; }
  void committed(uint64_t) override {}
  bool wants_commit() const override { return false; }
  frontier::Stats stats() const override { return {}; }

  frontier::Outcome outcome = frontier::Outcome::final;
  std::deque<ScheduleAnswer> answers;
  bool fails = false;

 private:
  std::vector<std::string>& history_;
};

class Listener final : public DispositionListener, public ScheduleListener {
 public:
  explicit Listener(std::vector<std::string>& history) : history_(history) {}

  void on_final(visit::VisitResult& result) override {
    history_.push_back("final " + result.disposition.lease.candidate.url);
  }
  void on_retry(const visit::VisitResult& result) override {
    history_.push_back("retry " + result.disposition.lease.candidate.url);
  }
  void on_deleted(const visit::LoggedVisit& record) override {
    history_.push_back(fmt::format("deleted {} {} {}", record.entry.url, record.entry.status, record.host));
  }
  void on_offered(std::span<const frontier::ScheduledUrl> urls) override {
    history_.push_back(fmt::format("offered {}", urls.size()));
  }
  void on_new(std::span<const uint64_t> fingerprints) override {
    history_.push_back(fmt::format("new {}", fmt::join(fingerprints, " ")));
  }
  void on_known(std::span<const KnownUrl> urls) override {
    for (const KnownUrl& known : urls) history_.push_back(fmt::format("known {}", known.line.url));
  }

 private:
  std::vector<std::string>& history_;
};

class VisitLedgerTest : public testing::Test {
 protected:
  VisitLedgerTest() {
    ledger_.add(static_cast<DispositionListener&>(listener_));
    ledger_.add(static_cast<ScheduleListener&>(listener_));
  }

  static visit::VisitResult visit_of(const std::string& url) {
    visit::VisitResult result;
    result.disposition.lease.candidate.url = url;
    return result;
  }
  static std::vector<frontier::ScheduledUrl> urls(size_t count) {
    std::vector<frontier::ScheduledUrl> all(count);
    for (size_t i = 0; i < count; ++i) all[i].fingerprint = 10 + i;
    return all;
  }

  std::vector<std::string> history_;
  FakeFrontier frontier_{history_};
  Listener listener_{history_};
  aio::SimLoop loop_{1};
  std::unique_ptr<aio::Blocking> blocking_ = aio::make_sim_blocking(loop_, std::chrono::milliseconds(1));
  io::MemoryFiles files_;
  std::unique_ptr<store::Kv> kv_ = store::memory_kv({"rows", "streams"});
  std::unique_ptr<store::StreamSet> streams_ = *store::StreamSet::open(files_, *kv_, 1, "/c/orphans");
  commit::Committer committer_{loop_, *blocking_, *streams_, *kv_};
  VisitLedger ledger_{loop_.clock(), frontier_, committer_};
};

TEST_F(VisitLedgerTest, AsksTheFrontierThenTellsThenSchedulesTheLinks) {
  visit::VisitResult result = visit_of("http://a.test/");
  result.links = urls(3);
  frontier_.answers = {ScheduleAnswer::accepted, ScheduleAnswer::duplicate, ScheduleAnswer::host_budget};
  ledger_.end_visit(std::move(result));
  EXPECT_THAT(history_, ElementsAre("finish http://a.test/", "final http://a.test/", "offered 3", "new 10"));
  EXPECT_GT(committer_.backlog(), 0u);
}

TEST_F(VisitLedgerTest, KeepsTheLinksOfAVisitThatIsMadeAgain) {
  visit::VisitResult result = visit_of("http://a.test/");
  result.links = urls(1);
  frontier_.outcome = frontier::Outcome::again;
  ledger_.end_visit(std::move(result));
  EXPECT_THAT(history_, ElementsAre("finish http://a.test/", "retry http://a.test/"));
  EXPECT_EQ(committer_.backlog(), 0u);
}

TEST_F(VisitLedgerTest, SaysNothingOfAVisitThatWasNotTried) {
  visit::VisitResult result = visit_of("http://a.test/");
  result.disposition.verdict = frontier::Verdict::returned;
  frontier_.outcome = frontier::Outcome::again;
  ledger_.end_visit(std::move(result));
  EXPECT_THAT(history_, ElementsAre("finish http://a.test/"));
}

TEST_F(VisitLedgerTest, AnswersEachUrl) {
  const std::deque<ScheduleAnswer> answers = {ScheduleAnswer::accepted, ScheduleAnswer::duplicate,
                                              ScheduleAnswer::host_budget, ScheduleAnswer::stale_pattern};
  frontier_.answers = answers;
  EXPECT_THAT(ledger_.schedule(urls(4)), testing::ElementsAreArray(answers));
}

TEST_F(VisitLedgerTest, CountsKnownUrlsAsSeen) {
  const KnownUrl known[] = {{7, {RecoveryLine::Event::included, "http://a.test/known", "L", "http://a.test/"}}};
  EXPECT_EQ(ledger_.remember(known), 1u);
  EXPECT_THAT(history_, ElementsAre("new 7", "known http://a.test/known"));
}

TEST_F(VisitLedgerTest, ReadsFingerprintsFromRows) {
  const uint64_t rows[] = {5, 6};
  EXPECT_TRUE(ledger_.remember_rows({reinterpret_cast<const char*>(rows), sizeof rows}));
  EXPECT_THAT(history_, ElementsAre("new 5 6"));
}

TEST_F(VisitLedgerTest, RecordsADeletionWithoutPasswords) {
  frontier::Candidate candidate;
  candidate.url = "http://me:secret@a.test/x";
  ledger_.record_removal(candidate, "a.test", status::kDeleted);
  EXPECT_THAT(history_, ElementsAre(fmt::format("deleted http://a.test/x {} a.test", status::kDeleted)));
}

// Half of it may be in the seen-set: nothing more may be committed.
TEST_F(VisitLedgerTest, EndsTheCommittingWhenTheFrontierFails) {
  frontier_.fails = true;
  EXPECT_THAT(ledger_.schedule(urls(1)), IsEmpty());
  EXPECT_TRUE(committer_.is_fatal());
  EXPECT_THAT(committer_.trouble(), HasSubstr("damaged"));
  EXPECT_THAT(history_, ElementsAre("offered 1"));
  EXPECT_FALSE(ledger_.remember_rows(std::string(8, 'x')));
}

}  // namespace
}  // namespace caddis::crawl
