#include "caddis/crawl/shared_hosts.h"

#include "caddis/base/hash.h"

namespace caddis::crawl {
namespace {

constexpr Duration kWish = std::chrono::seconds(10);  // as long as nobody has asked again

// An even number is the host itself, the one behind it the wish to have it. Two hosts with one number take turns, too.
uint64_t number_of(std::string_view host) { return siphash(host, 0, 0) << 1; }
uint64_t wish_of(uint64_t host) { return host | 1; }

}  // namespace

Result<std::unique_ptr<SharedHosts>> SharedHosts::open(const std::string& folder, const Clock& clock) {
  TRY(io::ByteLocks locks, io::ByteLocks::open(folder));
  return std::unique_ptr<SharedHosts>(new SharedHosts(std::move(locks), clock));
}

void SharedHosts::want(uint64_t host) {
  if (wanted_.insert_or_assign(host, clock_.steady()).second)
    (void)locks_.lock(wish_of(host), io::ByteLocks::Kind::shared);
}

bool SharedHosts::take(std::string_view name) {
  const uint64_t host = number_of(name);
  const auto found = claims_.find(host);
  if (found != claims_.end()) {
    Claim& claim = found->second;
    const bool is_over = !claim.is_visited && claim.until <= clock_.steady();
    if (!is_over || !locks_.is_held_by_others(wish_of(host))) {
      claim.is_visited = true;
      return true;
    }
    claims_.erase(found);
    locks_.unlock(host);
    want(host);
    return false;
  }
  if (!locks_.lock(host, io::ByteLocks::Kind::exclusive)) {
    want(host);
    return false;
  }
  claims_.emplace(host, Claim{});
  if (wanted_.erase(host) > 0) locks_.unlock(wish_of(host));
  return true;
}

void SharedHosts::leave(std::string_view name, SteadyTime until) {
  const auto found = claims_.find(number_of(name));
  if (found == claims_.end()) return;
  found->second = {.until = until, .is_visited = false};
  ends_.emplace(until, found->first);
}

void SharedHosts::sweep() {
  const SteadyTime now = clock_.steady();
  while (!ends_.empty() && ends_.top().first <= now) {
    const auto found = claims_.find(ends_.top().second);
    ends_.pop();
    if (found == claims_.end() || found->second.is_visited || found->second.until > now) continue;
    locks_.unlock(found->first);
    claims_.erase(found);
  }
  std::erase_if(wanted_, [&](const auto& wish) {
    if (now - wish.second < kWish) return false;
    locks_.unlock(wish_of(wish.first));
    return true;
  });
}

}  // namespace caddis::crawl
