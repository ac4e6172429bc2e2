// The hosts of crawls that share a folder: they take turns at each. A crawl has a host as long as it holds a lock on it,
// so one that dies leaves its hosts to the others at once.
//
// A crawl that waits says so by another lock. Whoever has a host, and sees that, lets it go when its pause has ended.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/host_claims.h"
#include "caddis/io/byte_locks.h"

namespace caddis::crawl {

class SharedHosts final : public frontier::HostClaims {
 public:
  // Makes the folder if it is not there. `clock` outlives it.
  static Result<std::unique_ptr<SharedHosts>> open(const std::string& folder, const Clock& clock);

  bool take(std::string_view host) override;
  void leave(std::string_view host, SteadyTime until) override;
  // Lets go of hosts whose pause has ended, and forgets what is not waited for any more. To be called every second,
  // whether the crawl visits anything or not.
  void sweep();

 private:
  struct Claim {
    SteadyTime until{};
    bool is_visited = true;
  };
  using End = std::pair<SteadyTime, uint64_t>;

  SharedHosts(io::ByteLocks locks, const Clock& clock) : locks_(std::move(locks)), clock_(clock) {}
  void want(uint64_t host);

  const io::ByteLocks locks_;
  const Clock& clock_;
  std::unordered_map<uint64_t, Claim> claims_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;  // of claims; also some that hold no more
  std::unordered_map<uint64_t, SteadyTime> wanted_;                  // since when it was last asked for
};

}  // namespace caddis::crawl
