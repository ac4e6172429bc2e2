// Interfaces of those who hear what visits come to: for everything that logs, counts, reports or keeps it. The VisitLedger
// calls them on the crawl's loop, in the order in which they were added.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "caddis/crawl/recovery_line.h"

namespace caddis::frontier {
struct Candidate;
struct ScheduledUrl;
enum class ScheduleAnswer : uint8_t;
}  // namespace caddis::frontier

namespace caddis::visit {
struct LoggedVisit;
struct VisitResult;
}  // namespace caddis::visit

namespace caddis::crawl {

// Hears every disposition with the visit behind it.
class DispositionListener {
 public:
  virtual ~DispositionListener() = default;
  // The visit is over for good: captured, failed or disregarded. Whoever archives may move the captures out; nothing
  // else of the result is to be changed.
  virtual void on_final(visit::VisitResult& result) = 0;
  // After `on_final` of all: URLs that follow from the visit beside its links, which are scheduled with them.
  virtual void add_links(const visit::VisitResult& result, std::vector<frontier::ScheduledUrl>& links) {
    (void)result, (void)links;
  }
  // The frontier will try the URL again. Not called for visits that were not tried at all (the crawl stops).
  virtual void on_retry(const visit::VisitResult& result) { (void)result; }
  // A URL that waited was deleted by the operator; `record` is its line of crawl.log.
  virtual void on_deleted(const visit::LoggedVisit& record) { (void)record; }
  // The same URL as it waited; or one that was dropped after it was accepted, since its host has no budget for it.
  virtual void on_removed(const frontier::Candidate& candidate) { (void)candidate; }
};

// A URL that counts as seen though nobody visits it, and why, as a recovery log says it. Views are the caller's.
struct KnownUrl {
  uint64_t fingerprint = 0;
  RecoveryLine line;
};

// Hears what the frontier makes of the URLs that it is given.
class ScheduleListener {
 public:
  virtual ~ScheduleListener() = default;
  // Before the frontier is asked; the URLs are gone afterwards.
  virtual void on_offered(std::span<const frontier::ScheduledUrl> urls) { (void)urls; }
  // The fingerprints that were never seen, of those offered last or of those that count as seen from now on. In order.
  virtual void on_new(std::span<const uint64_t> fingerprints) = 0;
  // The answers to those that were offered last, in their order; after `on_new`.
  virtual void on_answered(std::span<const frontier::ScheduleAnswer> answers) { (void)answers; }
  // URLs that count as seen from now on; after `on_new`.
  virtual void on_known(std::span<const KnownUrl> urls) { (void)urls; }
};

}  // namespace caddis::crawl
