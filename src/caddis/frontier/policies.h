// Everything of the frontier that decides, put together: which URLs are taken, in which order, how politely, until
// when, how much.
//
// Belongs to the frontier's thread.
#pragma once

#include "caddis/frontier/admission.h"
#include "caddis/frontier/frontier_options.h"
#include "caddis/frontier/host_health.h"
#include "caddis/frontier/politeness.h"
#include "caddis/frontier/quotas.h"
#include "caddis/frontier/rules_book.h"
#include "caddis/frontier/seed_quotas.h"
#include "caddis/frontier/storage.h"
#include "caddis/frontier/url_priority.h"

namespace caddis::frontier {

struct Policies {
  Policies(const FrontierOptions& options, PolitenessGroups groups, Storage& storage, store::SeenSet& seen,
           const BoundedClock& clock)
      : rules(options.rules(), options.rules_of, options.reach, PolicyChoices(options.sources.policy)),
        admission(rules, storage.table, storage.rows, storage.deferred, storage.counters, seen),
        priority(rules, options.identity, options.sources.precedences, options.importance_memory, admission.traps(),
                 storage.contents),
        politeness(clock, rules, std::move(groups), options.outside.claims),
        health(clock, rules, storage.counters, storage.rows, options.outside.may_connect),
        quotas(rules, politeness, storage.counters, storage.rows, options.sheet_quotas),
        seed_quotas(rules, storage.rows) {}
  Policies(const Policies&) = delete;

  RulesBook rules;
  Admission admission;
  UrlPriority priority;
  Politeness politeness;
  HostHealth health;
  Quotas quotas;
  SeedQuotas seed_quotas;
};

}  // namespace caddis::frontier
