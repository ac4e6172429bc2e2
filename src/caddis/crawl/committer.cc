#include "caddis/crawl/committer.h"

#include <cstring>
#include <span>

#include "caddis/base/log.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/fetch/status.h"
#include "caddis/store/seen.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {
namespace {

// A link that is queued if the frontier takes it.
struct Journaled {
  uint64_t fingerprint;
  bool force;
  std::string line;
};

Journaled journal_line(const frontier::ScheduledUrl& link) {
  Journaled journaled{link.fingerprint, link.candidate.force, {}};
  const std::string url = url::public_form(link.candidate.url), via = url::public_form(link.candidate.via);
  append_recovery_line(journaled.line, {RecoveryLine::Event::queued, url, link.candidate.hops, via});
  return journaled;
}

}  // namespace

void Committer::begin_timer() {
  if (group_began_) {
    if (group_.memory >= kLargest) wake_.notify();
    return;
  }
  group_began_ = loop_.clock().steady();
  wake_.notify();
}

void Committer::add(visit::VisitResult finished) {
  const frontier::Disposition& disposition = finished.disposition;
  const frontier::Outcome outcome = frontier_.finish(disposition);
  if (writes_recovery_) journal_finished(finished, outcome);
  if (outcome == frontier::Outcome::again) {
    if (disposition.verdict != frontier::Verdict::returned && !finished.visited.empty())
      visit::append_error_line(group_.errors, finished.visited.back().entry, finished.reason);
  } else {
    keep(finished);
  }
  begin_timer();
}

void Committer::keep(visit::VisitResult& finished) {
  group_.memory += finished.memory();
  group_.visits.add(finished.disposition.lease);
  for (const visit::LoggedVisit& visited : finished.visited) {
    visit::append_log_line(group_.log, visited.entry);
    statistics_.count(visited.entry, visited.host, visited.is_prerequisite, visited.is_seed, visited.redirect);
  }
  for (const auto& [rule, links] : finished.rejected) statistics_.count_rejected(rule, links);
  for (const std::string& seed : finished.new_seeds) {
    const std::string shown = url::public_form(seed);
    // The row of one that people have named stays: it says where may be connected to (fetch/address_policy.h).
    if (statistics_.seeds().contains(shown)) continue;
    statistics_.add_seed(shown);
    add_meta_row(std::string(kSeedRow) + seed, std::string(kFoundSeed));
  }
  for (const std::string& range : finished.new_ranges)
    add_meta_row(std::string(kRangeRow) + range, finished.disposition.lease.host);
  group_.pages += finished.page_line;
  schedule(std::move(finished.links));
  for (visit::Capture& capture : finished.captures) {
    statistics_.add_warc_bytes(capture.records.bytes.size());
    group_.captures.push_back(std::move(capture));
  }
}

void Committer::add_links(std::vector<frontier::ScheduledUrl> links) {
  schedule(std::move(links));
  begin_timer();
}

void Committer::add_deleted(const frontier::Candidate& what, const std::string& host) {
  visit::LogEntry entry;
  entry.finished = entry.started = loop_.clock().wall();
  entry.status = fetch::status::kDeleted;
  entry.url = url::public_form(what.url);
  entry.hops = what.hops;
  entry.via = url::public_form(what.via);
  entry.seed = url::public_form(what.seed);
  const size_t before = group_.log.size();
  visit::append_log_line(group_.log, entry);
  statistics_.count(entry, host, false, what.is_seed, "");
  if (writes_recovery_)
    append_recovery_line(group_.recovery, {RecoveryLine::Event::disregarded, entry.url, entry.hops, entry.via});
  group_.memory += group_.log.size() - before;
  begin_timer();
}

uint64_t Committer::add_seen(const std::vector<uint64_t>& fingerprints, const std::string& lines) {
  begin_timer();
  const auto fresh = frontier_.remember(fingerprints);
  if (!fresh) {
    give_up(fresh.error());
    return 0;
  }
  for (const uint64_t fingerprint : *fresh) store::append_fingerprint(group_.seen, fingerprint);
  if (writes_recovery_) group_.recovery += lines;
  return fresh->size();
}

void Committer::schedule(std::vector<frontier::ScheduledUrl> links) {
  std::vector<Journaled> journaled;
  if (writes_recovery_)
    for (const frontier::ScheduledUrl& link : links) journaled.push_back(journal_line(link));
  const auto fresh = frontier_.schedule(std::move(links));
  if (!fresh) return give_up(fresh.error());
  for (const uint64_t fingerprint : *fresh) store::append_fingerprint(group_.seen, fingerprint);
  auto next = fresh->begin();
  for (const Journaled& one : journaled) {
    const bool is_fresh = next != fresh->end() && *next == one.fingerprint;
    if (is_fresh) ++next;
    if (is_fresh || one.force) group_.recovery += one.line;
  }
}

void Committer::journal_finished(const visit::VisitResult& finished, frontier::Outcome outcome) {
  using Event = RecoveryLine::Event;
  const frontier::Lease& lease = finished.disposition.lease;
  if (lease.kind != frontier::LeaseKind::url || finished.disposition.verdict == frontier::Verdict::returned) return;
  const std::string url = url::public_form(lease.candidate.url), via = url::public_form(lease.candidate.via);
  const int status = finished.visited.empty() ? finished.disposition.status : finished.visited.back().entry.status;
  Event event = Event::rescheduled;
  if (outcome == frontier::Outcome::final)
    event = status > 0                                                ? Event::success
            : fetch::group(status) == fetch::StatusGroup::disregarded ? Event::disregarded
                                                                      : Event::failure;
  append_recovery_line(group_.recovery, {event, url, lease.candidate.hops, via});
}

Result<void> Committer::add_seen(std::string_view rows) {
  for (; rows.size() >= sizeof(uint64_t); rows.remove_prefix(sizeof(uint64_t))) {
    uint64_t fingerprint = 0;
    std::memcpy(&fingerprint, rows.data(), sizeof fingerprint);
    bool is_new = false;
    TRY_VOID(seen_.insert_batch(std::span(&fingerprint, 1), std::span(&is_new, 1)));
    if (is_new) store::append_fingerprint(group_.seen, fingerprint);
  }
  begin_timer();
  return {};
}

// What is committed stays, and nothing more is: the group is not whole.
void Committer::give_up(const Error& error) {
  if (fatal_) return;
  fatal_ = true;
  trouble_ = error.message;
  log_error("commit", "{}", trouble_);
  wake_.notify();
  if (on_change_) on_change_();
}

bool Committer::is_due() const {
  if (closing_ || fatal_ || (asked_ && !asked_->done)) return true;
  return group_began_ && (group_.memory >= kLargest || loop_.clock().steady() - *group_began_ >= kLongest);
}

aio::Task<void> Committer::run() {
  while (!fatal_ && !gave_up_) {
    while (!is_due()) {
      // One timer for the group that has begun; a group that grows too large wakes us before.
      std::optional<aio::Loop::TimerId> timer;
      if (group_began_) timer = loop_.at(*group_began_ + kLongest, [this] { wake_.notify(); });
      co_await wake_.wait();
      if (timer) loop_.cancel(*timer);
    }
    if (fatal_) break;
    const bool last = closing_;
    group_.closes_files = last || (asked_ && !asked_->done);
    co_await write_group();
    co_await answer();
    if (last) break;
  }
  closed_ = true;
  answered_.notify();
  if (on_change_) on_change_();
}

aio::Task<void> Committer::write_group() {
  Group group = std::move(group_);
  group_ = Group();
  ++present_group_;
  group_began_.reset();
  const frontier::Stats waiting = frontier_.stats();
  statistics_.set_rejected("host-budget", waiting.over_host_budget);
  statistics_.set_rejected("domain-hosts", waiting.over_domain_hosts);
  statistics_.set_rejected("stale-patterns", waiting.over_patterns);
  statistics_.stage(group.batch, kStatistics);
  group.frontier_stage = frontier_.stage(group.batch);
  if (auto runs = seen_.stage()) group.batch.put(kMeta, std::string(kSeenRunsRow), *std::move(runs));
  group.seen_held = seen_.held_rows();
  group.seen_file = seen_.log_file_bytes();
  if (asked_ && group.closes_files) asked_->work = asked_->prepare();
  writing_memory_ = group.memory;
  for (;;) {
    GroupWriter::Outcome outcome;
    std::function<void()> work = [&] { outcome = writer_->write(group); };
    co_await blocking_.run(loop_, std::move(work));
    if (fatal_) co_return;
    if (outcome.fate == GroupWriter::Fate::committed) break;
    // A limit of the process stays what it is while the process lives.
    fatal_ = outcome.fate == GroupWriter::Fate::unknown || outcome.error.code == ErrorCode::limit;
    // Told once, however long it lasts; the status always has the latest.
    if (trouble_.empty() || fatal_) log_error("commit", "{}", outcome.error.message);
    trouble_ = outcome.error.message;
    if (on_change_) on_change_();
    // A crawl that is to end cannot wait for room on the disk: what is not committed is fetched again when it is
    // resumed.
    gave_up_ = closing_;
    if (fatal_ || gave_up_) co_return;
    co_await aio::sleep_for(loop_, kRetry);
  }
  if (!trouble_.empty()) log_warn("commit", "the disk takes what is written again: the crawl goes on");
  trouble_.clear();
  writing_memory_ = 0;
  ++groups_;
  frontier_.committed(group.frontier_stage);
  seen_.committed();
  if (on_change_) on_change_();
}

aio::Task<void> Committer::answer() {
  if (!asked_ || !asked_->work || asked_->done || fatal_ || gave_up_) co_return;
  std::function<void()> work = [this] { asked_->outcome = asked_->work(); };
  co_await blocking_.run(loop_, std::move(work));
  asked_->done = true;
  answered_.notify();
}

aio::Task<Result<void>> Committer::at_commit(std::function<Work()> prepare) {
  while (asked_ && !closed_) co_await answered_.wait();
  if (closing_ || fatal_) co_return fail(ErrorCode::conflict, "the crawl is ending");
  asked_.emplace();
  asked_->prepare = std::move(prepare);
  begin_timer();
  wake_.notify();
  while (!asked_->done && !closed_) co_await answered_.wait();
  Result<void> outcome = asked_->outcome;
  if (!asked_->done) outcome = fail(ErrorCode::io, trouble_.empty() ? "the crawl ended before" : trouble_);
  asked_.reset();
  answered_.notify();
  co_return outcome;
}

void Committer::close() {
  closing_ = true;
  wake_.notify();
}

}  // namespace caddis::crawl
