// Decides whether a host may be visited now: the places of a host, its politeness group and its address, taken in this
// order; the pauses between two visits; and the bytes a second from all hosts together. It knows no URL and no lease:
// whoever fetches asks it, queues through QueueScheduler, and others through FetchPermits.
//
// Belongs to the frontier's thread. What it returns by pointer is good until it is asked for something else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/frontier/bandwidth.h"
#include "caddis/frontier/bounded_clock.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/host_claims.h"
#include "caddis/frontier/permit.h"
#include "caddis/frontier/queue_state.h"
#include "caddis/frontier/rules_book.h"
#include "caddis/frontier/slots.h"

namespace caddis::frontier {

struct FetchNeeds {
  bool exclusive = false;  // no other visit of the host at the same time: DNS, robots.txt
  bool connects = true;    // otherwise neither pauses nor addresses matter
  std::string address;     // where it connects; empty: to the next address of the host
  // It is made for a visit that holds these places: what both share is taken already.
  const Permit* held = nullptr;
  // Whoever asks stands in no wait list, and was promised the next turn of the host.
  bool is_promised = false;
};

struct PermitAnswer {
  enum class Kind : uint8_t { granted, busy, paused };
  Kind kind = Kind::granted;
  Permit permit = {};
  // If `busy`: the list in which one waits for a turn, and the state of a queue that does.
  WaitList* wait_list = nullptr;
  QueueSchedule::State state = QueueSchedule::State::idle;
  // If `paused`: when to ask again. `is_shared`: it is a group's or an address's pause, where others wait, too.
  SteadyTime until{};
  bool is_shared = false;
};

// The cost of a visit for its host.
struct FetchCost {
  Duration fetch_time{};
  uint64_t bytes = 0;
  std::optional<Duration> crawl_delay;  // as robots.txt asks for
  std::optional<Duration> retry_after;  // as the server asked, already bounded
  bool may_batch = false;               // the next visit may follow at once (`politeness.batch`)
};

class Politeness {
 public:
  // Lists whose first may have its turn; null: none.
  using FreeLists = std::array<WaitList*, 3>;

  // `claims`: of the hosts that other crawls visit, too; null: no other crawl is asked. It outlives this.
  Politeness(const BoundedClock& clock, const RulesBook& rules, PolitenessGroups groups, HostClaims* claims = nullptr)
      : clock_(clock), rules_(rules), groups_(std::move(groups)), claims_(claims) {}

  // A place for a visit of the host, at its next address. Exactly one `release` answers what is granted.
  PermitAnswer acquire(Host& host, const FetchNeeds& needs);
  FreeLists release(Host& host, const Permit& permit);
  // Lists of the host, its group and its address where nothing is in the way.
  FreeLists free_lists(Host& host);
  // The host has been asked something: how long it is left alone, and what it shares with others.
  void pause(Host& host, const Permit& permit, const FetchCost& cost);

  // The pause after a visit that took so long.
  Duration delay_after(const Host& host, std::optional<Duration> crawl_delay, Duration fetch_time) const;
  // The shortest and the longest that its origins ask for; it has some.
  Duration shortest_delay(const Host& host, Duration fetch_time) const;
  Duration longest_delay(const Host& host, Duration fetch_time) const;
  // A host that is loaded: what was visited just before a death is not known, so it waits one delay after a restart.
  void pause_after_restart(Host& host) const;
  // The host itself may be visited, and waits: what it shares with others has its pause.
  QueueState shared_pause(const Host& host) const;

  // The group that an operator, or else the policy of a module, has put the host into; empty if there is none. Quotas go
  // by it.
  std::string group_of(const Host& host) const {
    std::string group = groups_.named(host.name);
    return group.empty() ? rules_.choices().group_of(rules_.of(host).politeness, host.name) : group;
  }

  // --- bandwidth of all hosts
  // A visit begins; returns what it has paid for, in bytes.
  uint64_t begin_transfer() { return bandwidth_.begin(clock_.steady(), limit()); }
  void end_transfer(uint64_t paid, uint64_t bytes) { bandwidth_.end(clock_.steady(), limit(), paid, bytes); }
  // No visit may begin before.
  SteadyTime free_at() const { return bandwidth_.free_at(); }
  bool holds_back() const { return bandwidth_.holds_back(clock_.steady()); }
  // Without a limit nothing is owed any more: to be called when the settings have changed.
  void update_limits() {
    if (limit() == 0) bandwidth_.reset();
  }

 private:
  int64_t limit() const { return rules_.of_crawl().politeness.bandwidth; }
  std::string group_slot(const Host& host, std::string_view address) const;
  std::optional<PermitAnswer> obstacle(Slot& slot, int64_t most, QueueSchedule::State busy) const;
  bool is_of_another_crawl(Host& host) const;

  const BoundedClock& clock_;
  const RulesBook& rules_;
  PolitenessGroups groups_;
  HostClaims* const claims_;
  Slots slots_;
  Bandwidth bandwidth_;
};

}  // namespace caddis::frontier
