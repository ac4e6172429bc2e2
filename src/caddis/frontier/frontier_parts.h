// The parts of a frontier, owned together: Frontier makes them, and whoever takes part in a visit from its lease to its
// end, or looks and operates, is given all of them.
//
// Belongs to the frontier's thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/frontier/bounded_clock.h"
#include "caddis/frontier/frontier_options.h"
#include "caddis/frontier/held_urls.h"
#include "caddis/frontier/lateness.h"
#include "caddis/frontier/lease_table.h"
#include "caddis/frontier/login_table.h"
#include "caddis/frontier/policies.h"
#include "caddis/frontier/queue_scheduler.h"
#include "caddis/frontier/residency.h"
#include "caddis/frontier/storage.h"

namespace caddis::frontier {

struct FrontierParts {
  FrontierParts(const FrontierOptions& options, const Families& families, PolitenessGroups groups, store::Kv& kv,
                store::SeenSet& seen_set, const Clock& system)
      : identity(options.identity),
        seen(seen_set),
        clock(system),
        storage(families, kv, options.identity, std::max<size_t>(1, options.hosts_in_memory), clock),
        policies(options, std::move(groups), storage, seen_set, clock),
        scheduler(clock, policies.rules, policies.health, policies.politeness),
        residency(clock, storage, policies, scheduler),
        held(families.held, options.identity, storage.cache, options.sources.module) {
    clock.set_longest_wait(policies.rules.summary().longest_wait);
  }
  FrontierParts(const FrontierParts&) = delete;

  const Identity identity;
  store::SeenSet& seen;
  BoundedClock clock;
  Storage storage;
  Policies policies;
  QueueScheduler scheduler;
  LeaseTable leases;
  LoginTable logins;
  Residency residency;
  HeldUrls held;
  Lateness lateness;
  std::vector<std::string> notices;  // for the operator: patterns of URLs that say nothing new
};

}  // namespace caddis::frontier
