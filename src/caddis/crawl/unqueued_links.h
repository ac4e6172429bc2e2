// Links that are found and not queued, on record (logs.rejected-links): those that the scope rejects, those that the
// frontier rejects or drops by a budget, and those that are known by another URL. Each URL is told once, and not at all if
// it was queued before: the seen-set holds a mark of every URL that was met (frontier::Identity::url_mark), in the same
// group as its line.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/url_ledger.h"
#include "caddis/url/key_policy.h"

namespace caddis::visit {
struct VisitResult;
}  // namespace caddis::visit

namespace caddis::crawl {

class OutcomeLogs;

class UnqueuedLinks final {
 public:
  // Clock, frontier and logs outlive it.
  UnqueuedLinks(const Clock& clock, frontier::UrlLedger& frontier, frontier::Identity identity, url::KeyPolicy keys,
                OutcomeLogs& logs);

  // The frontier is about to be asked about these URLs.
  void offer(std::span<const frontier::ScheduledUrl> urls);
  // Its answers to them. Returns the marks that are new, for the log of the seen-set.
  Result<std::vector<uint64_t>> answer(std::span<const frontier::ScheduleAnswer> answers);
  // The links of a visit that the scope has rejected. Returns the same.
  Result<std::vector<uint64_t>> reject(const visit::VisitResult& result);

  // A URL was dropped after it was accepted. It has its mark since it was found.
  void drop(const frontier::DroppedUrl& dropped) { add(offered(dropped.candidate), dropped.rule); }

 private:
  struct Offered {
    uint64_t mark = 0;
    std::string url, hops, via, seed;
  };
  void add(const Offered& link, frontier::ScheduleAnswer answer);
  Offered offered(const frontier::Candidate& candidate) const;

  const Clock& clock_;
  frontier::UrlLedger& frontier_;
  const frontier::Identity identity_;
  const url::KeyPolicy keys_;
  OutcomeLogs& logs_;
  std::vector<Offered> offered_;
};

}  // namespace caddis::crawl
