// The frontier for whoever dispatches visits: what may be visited now, and when there will be more.
//
// Belongs to the thread of the crawl's loop, as do all that implement it.
#pragma once

#include <cstdint>
#include <optional>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/lease.h"

namespace caddis::frontier {

class UrlSource {
 public:
  virtual ~UrlSource() = default;

  // The next lease that is due, if any. Exactly one UrlLedger::finish answers it.
  virtual Result<std::optional<Lease>> next() = 0;
  // When `next` may have something, though nothing happens before; nothing if only a finish, a candidate or a commit
  // can help.
  virtual std::optional<SteadyTime> next_due() const = 0;
  // `next` has work of its own to do, some at each call: it is to be called again, though nothing is due.
  virtual bool is_reviewing() const = 0;
  // No URL waits, but in retired queues, and none is being visited.
  virtual bool is_empty() const = 0;
  // Leases that are out.
  virtual uint64_t visiting() const = 0;
};

}  // namespace caddis::frontier
