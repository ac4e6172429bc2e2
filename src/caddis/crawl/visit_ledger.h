// The dispatch of everything that ends or begins to wait: asks the frontier what becomes of it, then tells the
// listeners. Knows neither outputs nor statistics by name, and the committer only to let it know that there is
// something to commit.
//
// Belongs to the crawl's loop, as the frontier does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/base/fetch_status.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/frontier/url_ledger.h"

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class UnqueuedLinks;

class VisitLedger {
 public:
  VisitLedger(const Clock& clock, frontier::UrlLedger& frontier, commit::Committer& committer)
      : clock_(clock), frontier_(frontier), committer_(committer) {
    frontier_.keep_dropped();
  }

  // Listeners must outlive the ledger.
  void add(DispositionListener& listener) { disposition_listeners_.push_back(&listener); }
  void add(ScheduleListener& listener) { schedule_listeners_.push_back(&listener); }

  // Hears of links that are not queued, too; outlives the ledger.
  void add(UnqueuedLinks& unqueued) { unqueued_ = &unqueued; }

  // A visit has ended. Its links are scheduled if it is over for good.
  void end_visit(visit::VisitResult result);
  // URLs that were dropped after they were accepted are told; while a group is staged, behind the frontier.
  void tell_dropped();
  // URLs that do not come from a visit: seeds, the operator's, those of a recovery log. Returns the answer to each, or
  // nothing if the frontier has failed: then so has the committer.
  std::vector<frontier::ScheduleAnswer> schedule(std::vector<frontier::ScheduledUrl> urls);
  // These count as seen from now on, though nobody visits them. Returns how many were new.
  uint64_t remember(std::span<const KnownUrl> urls);
  // The same for fingerprints alone, in rows of the log of the seen-set.
  Result<void> remember_rows(std::string_view rows);
  // A URL that waited is gone, and that is its status. `scope_rule`: the one that rejects it; may be empty.
  void record_removal(const frontier::Candidate& candidate, const std::string& host, FetchStatus status,
                      std::string_view scope_rule = {});

 private:
  std::vector<frontier::ScheduleAnswer> offer(std::vector<frontier::ScheduledUrl> urls);
  Result<uint64_t> remember_fingerprints(std::span<const uint64_t> fingerprints);
  // The log of the seen-set has these marks; an error is the committer's.
  void keep_marks(const Result<std::vector<uint64_t>>& marks);

  const Clock& clock_;
  frontier::UrlLedger& frontier_;
  commit::Committer& committer_;
  std::vector<DispositionListener*> disposition_listeners_;
  std::vector<ScheduleListener*> schedule_listeners_;
  UnqueuedLinks* unqueued_ = nullptr;  // null if nobody wants to hear of links
};

}  // namespace caddis::crawl
