// Slots: what several hosts share, an IP address or a politeness group, takes so many visits at the same time, and a
// pause between two. Who finds a slot taken stands in its line.
//
// Not thread-safe: part of the frontier.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/clock.h"
#include "caddis/frontier/host.h"

namespace caddis::frontier {

struct Slot {
  int64_t used = 0;
  SteadyTime next_allowed{};
  SteadyTime polite_until{};  // the same without what `host-bandwidth` asks for …
  int64_t for_bandwidth = 0;  // … where it is this one that counts; 0: it does not
  bool of_crawl = false;      // … and the crawl's, not that of a sheet
  QueuesInLine line;
};

class Slots {
 public:
  Slot& at(const std::string& name) { return slots_[name]; }
  Slot* find(const std::string& name) {
    const auto found = slots_.find(name);
    return found == slots_.end() ? nullptr : &found->second;
  }
  const Slot* find(const std::string& name) const { return const_cast<Slots*>(this)->find(name); }
  void each(const std::function<void(Slot&)>& see) {
    for (auto& [name, slot] : slots_) see(slot);
  }
  // Forgets those that say nothing any more; to be called now and then.
  void sweep(SteadyTime now) {
    constexpr size_t kFew = 1000;
    if (slots_.size() < 2 * kept_ + kFew) return;
    std::erase_if(slots_, [&](const auto& item) {
      return item.second.used == 0 && item.second.line.empty() && item.second.next_allowed <= now;
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
