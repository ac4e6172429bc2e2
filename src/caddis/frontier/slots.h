// Slots: what several hosts share, an IP address or a politeness group, takes so many visits at the same time, and a
// pause between two. Whoever finds a slot taken stands in its wait list.
//
// Not thread-safe: part of the frontier.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/clock.h"
#include "caddis/frontier/queue.h"
#include "caddis/frontier/settings.h"

namespace caddis::frontier {

struct Slot {
  int64_t used = 0;
  SteadyTime next_allowed{};
  WaitList waiting;
};

class Slots {
 public:
  Slot& at(const std::string& name) { return slots_[name]; }
  Slot* find(const std::string& name) {
    const auto found = slots_.find(name);
    return found == slots_.end() ? nullptr : &found->second;
  }
  const Slot* find(const std::string& name) const { return const_cast<Slots*>(this)->find(name); }
  // Forgets those that say nothing any more; to be called now and then.
  void sweep(SteadyTime now) {
    constexpr size_t kFew = 1000;
    if (slots_.size() < 2 * kept_ + kFew) return;
    std::erase_if(slots_, [&](const auto& item) {
      return item.second.used == 0 && item.second.waiting.empty() && item.second.next_allowed <= now;
    });
    kept_ = slots_.size();
  }

 private:
  std::unordered_map<std::string, Slot> slots_;
  size_t kept_ = 0;
};

// The slot of an address. Addresses of an IPv6 /64 are one machine's, as far as anybody can tell.
std::string address_slot(std::string_view address);

// Which hosts are polite together: `politeness.groups`, then `politeness.together`.
class PolitenessGroups {
 public:
  // ErrorCode::config for a line that is none.
  static Result<PolitenessGroups> create(const PolitenessSettings& settings);
  // The group that an operator has put the host into; empty where there is none.
  std::string named(std::string_view host) const;
  // The group of a host that is visited at `address`, by its own `together`, where no operator has put it into one;
  // empty where it stands alone.
  std::string of(std::string_view host, std::string_view address, const PolitenessSettings& of_host) const;

 private:
  std::unordered_map<std::string, std::string> hosts_;     // host -> group
  std::unordered_map<std::string, std::string> suffixes_;  // "example.org" of "*.example.org" -> group
};

}  // namespace caddis::frontier
