#include "caddis/crawl/visit_ledger.h"

#include <cstring>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/unqueued_links.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/log_entry.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

constexpr uint64_t kDeletionMemory = 256;  // of a log line, about

}  // namespace

void VisitLedger::end_visit(visit::VisitResult result) {
  const frontier::Outcome outcome = frontier_.finish(result.disposition);
  uint64_t memory = 0;
  if (outcome == frontier::Outcome::final) {
    memory = result.memory();
    for (DispositionListener* const listener : disposition_listeners_) listener->on_final(result);
    for (DispositionListener* const listener : disposition_listeners_) listener->add_links(result, result.links);
    offer(std::move(result.links));
    if (unqueued_ != nullptr) keep_marks(unqueued_->reject(result));
  } else if (result.disposition.verdict != frontier::Verdict::returned) {
    for (DispositionListener* const listener : disposition_listeners_) listener->on_retry(result);
  }
  committer_.commit_soon(memory);
}

void VisitLedger::tell_dropped() {
  for (const frontier::DroppedUrl& dropped : frontier_.take_dropped()) {
    for (DispositionListener* const listener : disposition_listeners_) listener->on_removed(dropped.candidate);
    if (unqueued_ != nullptr) unqueued_->drop(dropped);
  }
}

std::vector<frontier::ScheduleAnswer> VisitLedger::schedule(std::vector<frontier::ScheduledUrl> urls) {
  auto answers = offer(std::move(urls));
  committer_.commit_soon();
  return answers;
}

std::vector<frontier::ScheduleAnswer> VisitLedger::offer(std::vector<frontier::ScheduledUrl> urls) {
  for (ScheduleListener* const listener : schedule_listeners_) listener->on_offered(urls);
  if (unqueued_ != nullptr) unqueued_->offer(urls);
  auto scheduled = frontier_.schedule(std::move(urls));
  if (!scheduled) {
    committer_.fail(scheduled.error());
    return {};
  }
  for (ScheduleListener* const listener : schedule_listeners_) {
    listener->on_new(scheduled->new_fingerprints);
    listener->on_answered(scheduled->answers);
  }
  if (unqueued_ != nullptr) keep_marks(unqueued_->answer(scheduled->answers));
  return std::move(scheduled->answers);
}

void VisitLedger::keep_marks(const Result<std::vector<uint64_t>>& marks) {
  if (!marks) return committer_.fail(marks.error());
  for (ScheduleListener* const listener : schedule_listeners_) listener->on_new(*marks);
}

uint64_t VisitLedger::remember(std::span<const KnownUrl> urls) {
  std::vector<uint64_t> fingerprints;
  fingerprints.reserve(urls.size());
  for (const KnownUrl& url : urls) fingerprints.push_back(url.fingerprint);
  const auto fresh = remember_fingerprints(fingerprints);
  if (!fresh) {
    committer_.fail(fresh.error());
    return 0;
  }
  for (ScheduleListener* const listener : schedule_listeners_) listener->on_known(urls);
  return *fresh;
}

Result<void> VisitLedger::remember_rows(std::string_view rows) {
  if (rows.empty()) return {};
  std::vector<uint64_t> fingerprints(rows.size() / sizeof(uint64_t));
  std::memcpy(fingerprints.data(), rows.data(), fingerprints.size() * sizeof(uint64_t));
  TRY_VOID(remember_fingerprints(fingerprints));
  return {};
}

Result<uint64_t> VisitLedger::remember_fingerprints(std::span<const uint64_t> fingerprints) {
  committer_.commit_soon();
  TRY(const auto fresh, frontier_.remember(fingerprints));
  for (ScheduleListener* const listener : schedule_listeners_) listener->on_new(fresh);
  return fresh.size();
}

void VisitLedger::record_removal(const frontier::Candidate& candidate, const std::string& host, FetchStatus status,
                                 std::string_view scope_rule) {
  visit::LoggedVisit record;
  record.host = host;
  record.is_seed = candidate.is_seed;
  visit::LogEntry& entry = record.entry;
  entry.finished = entry.started = clock_.wall();
  entry.status = status;
  entry.facts.scope_rule = scope_rule;
  entry.url = url::public_form(candidate.url);
  entry.hops = candidate.hops;
  entry.via = url::public_form(candidate.via);
  entry.seed = url::public_form(candidate.seed);
  for (DispositionListener* const listener : disposition_listeners_) {
    listener->on_deleted(record);
    listener->on_removed(candidate);
  }
  committer_.commit_soon(kDeletionMemory);
}

}  // namespace caddis::crawl
