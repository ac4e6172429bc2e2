// Politeness for those who fetch without a lease: a redirect of robots.txt to another host, a sub-request of a page. No
// fetch of any kind leaves without its permit.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/permit.h"

namespace caddis::frontier {

struct FrontierParts;
struct FetchCost;

struct FetchPermit {
  std::string host;
  Permit permit;
};

struct FetchAnswer {
  std::optional<FetchPermit> permit;
  bool is_blocked = false;  // the operator wants nothing of that host
  SteadyTime ask_again{};   // without a permit: when to ask again
};

class FetchPermits {
 public:
  explicit FetchPermits(FrontierParts& parts) : parts_(parts) {}

  // A place among the visits of the host, at that address; without one at the next that is known. Exactly one `release`
  // answers a permit; until then the host is taken. Whoever is refused is promised the next turn of the host, if it
  // asks again in time. `lease`: of the visit for which it is fetched, if there is one: what host and visit share is
  // taken by that.
  Result<FetchAnswer> acquire(const std::string& host, const std::string& address = "", uint64_t lease = 0);
  void release(const FetchPermit& permit, const FetchCost& cost);

 private:
  FrontierParts& parts_;
};

}  // namespace caddis::frontier
