// Hosts and origins that keep failing: each waits longer and longer, is suspended, probed, and abandoned in the end.
//
// Belongs to the frontier's thread. Whoever calls a method that changes a host plans its queues anew.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "caddis/frontier/bounded_clock.h"
#include "caddis/frontier/counters.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/host_rows.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/rules_book.h"

namespace caddis::frontier {

class HostHealth {
 public:
  // Whether one may connect to a host at an address, now.
  using MayConnect = std::function<bool(const std::string& host, const std::string& address)>;

  // `may_connect` is asked of hosts that were abandoned with status::kAddressRefused; without it they stay so.
  HostHealth(const BoundedClock& clock, const RulesBook& rules, Counters& counters, HostRows& rows,
             MayConnect may_connect)
      : clock_(clock), rules_(rules), counters_(counters), rows_(rows), may_connect_(std::move(may_connect)) {}

  // --- after a visit
  // Backs the host or the origin off. True if it was abandoned: then all its URLs are.
  bool failed(Queue& queue, const Disposition& disposition);
  // The host's name does not exist, or nobody may connect there.
  void hopeless(Queue& queue, const Disposition& disposition);
  // It answers; returns whether that was in doubt.
  bool recovered(Host& host, FailureState& failures);

  // --- new hope
  // As if it had never failed.
  void reset(Host& host, FailureState& failures);
  // The same of what was abandoned since nobody may connect there; whether there was something.
  bool reset_refused(Host& host);
  // The same if one may connect there now.
  bool reset_if_connectable(Host& host);
  // When nothing but suspended hosts is left, one that never answered gets its last probe at once; whether it has one.
  bool probe_at_once(Host& host);
  // Back-offs end: what failed is tried again now. Returns whether there was one.
  bool retry_now(Host& host);
  bool has_abandoned() const { return counters_.totals().hosts_abandoned > 0; }

  // --- abandoned URLs
  // From now on every URL but those of retired queues is leased as abandoned.
  void abandon_all(int status, std::string why);
  bool has_abandoned_all() const { return all_ != 0; }
  // The status that the URLs of a queue get; 0 while there is hope.
  int status_of(const Queue& queue) const { return all_ != 0 ? all_ : queue.abandoned(); }
  // For crawl.log, if the status does not say it all.
  std::string reason_of(const Queue& queue) const;

 private:
  void suspend(Host& host, FailureState& failures, bool suspended);
  void abandon(Host& host, FailureState& failures, int status);
  bool last_probe(FailureState& failures, uint32_t most) const;

  const BoundedClock& clock_;
  const RulesBook& rules_;
  Counters& counters_;
  HostRows& rows_;
  MayConnect may_connect_;
  int all_ = 0;
  std::string why_all_;
};

}  // namespace caddis::frontier
