// Politeness for a fetch beside the lease's own: a redirect of robots.txt to another host takes a place among the visits
// of that host, or waits for one. Who grants it belongs to another thread: it is asked by a message.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::frontier {
struct FetchCost;
}

namespace caddis::visit {

struct LaneTools;

// Any thread may call it.
class HostPermits {
 public:
  struct Wish {
    uint64_t lease = 0;         // of the visit that asks
    std::string host, address;  // address: empty behind a proxy
  };
  struct Answer {
    std::optional<uint64_t> permit;
    bool is_blocked = false;  // the operator wants nothing of that host
    Duration wait{};          // otherwise, without a permit: before it is asked again
  };
  virtual ~HostPermits() = default;
  // Calls `answer` once, on any thread. Exactly one `release` answers a permit.
  virtual void acquire(Wish wish, std::function<void(Result<Answer>)> answer) = 0;
  virtual void release(uint64_t permit, const frontier::FetchCost& cost) = 0;
};

// Waits for a permit. ErrorCode::cancelled if the crawl is stopped; ErrorCode::denied if the operator wants nothing of
// that host; ErrorCode::timeout if the host may not be asked within a minute: a visit that waits takes another's place.
aio::Task<Result<uint64_t>> wait_for_permit(LaneTools& tools, HostPermits::Wish wish);

}  // namespace caddis::visit
