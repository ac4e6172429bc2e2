// Which priority class a URL stands in: what an operator has listed, then its importance, then the order that is set;
// and how URLs rise as their importance grows. Where a URL stands is on disk only, so with each visit some chunks are
// inspected, in turn, and URLs that got more cash move to better classes of their queue.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "caddis/base/error.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/importance.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/lease_table.h"
#include "caddis/frontier/precedences.h"
#include "caddis/frontier/queue_contents.h"
#include "caddis/frontier/rules_book.h"
#include "caddis/frontier/scheduled_url.h"
#include "caddis/frontier/trap_detector.h"

namespace caddis::frontier {

class QueueScheduler;

class UrlPriority {
 public:
  // `importance_memory`: bytes, if the order is by importance. `precedences`: of URLs that an operator has listed; may
  // be null.
  UrlPriority(const RulesBook& rules, const Identity& identity, std::shared_ptr<const Precedences> precedences,
              uint64_t importance_memory, const TrapDetector& traps, QueueContents& contents);

  // The class of a URL that was found.
  PriorityClass class_of(const ScheduledUrl& scheduled) const;
  // The order is by importance: leases want links.
  bool is_by_importance() const { return importance_ != nullptr; }
  // A URL was visited for good: its cash goes to what it links to.
  void visited(const UrlPlace& place, const Disposition& disposition);
  // Before a visit of the queue; nothing happens unless the order is by importance.
  Result<void> reprioritize(Queue& queue);
  // The same of queues that are due, if importance counts between them: cash comes from other hosts, too, and a queue
  // that is not visited would never hear of it.
  Result<void> reprioritize_due(QueueScheduler& scheduler);

 private:
  PriorityClass by_importance(PriorityClass found, const std::string& url) const;
  std::optional<unsigned> listed(const std::string& url) const;
  Result<int> inspect(Queue& queue, int chunks);

  const RulesBook& rules_;
  Identity identity_;
  std::shared_ptr<const Precedences> precedences_;
  std::unique_ptr<Importance> importance_;
  const TrapDetector& traps_;
  QueueContents& contents_;
};

}  // namespace caddis::frontier
