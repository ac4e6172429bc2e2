// What is left out of what was found: URLs over the budget of their host, of hosts over that of their domain, and of
// patterns that say nothing new.

#include <algorithm>
#include <map>

#include "caddis/frontier/frontier.h"
#include "caddis/frontier/linking.h"

namespace caddis::frontier {

// Before anything is remembered as seen: where an operator gives more, what is found again counts again.
Result<void> Frontier::leave_out_what_is_over_budget(std::vector<ScheduledUrl>& scheduled_urls) {
  const bool stops_patterns = reach_.stops_patterns && !yield_.all_fresh();
  if (!reach_.host_budgets && !reach_.domain_hosts && !stops_patterns && !ordered_budgets_) return {};
  std::vector<ScheduledUrl> kept;
  std::map<std::string, uint64_t> taken;  // of each host, by those before it
  for (ScheduledUrl& scheduled : scheduled_urls) {
    uint64_t& before = taken[scheduled.host];
    TRY(const Budgeted budgeted, look_at_budget(scheduled, before));
    if (budgeted == Budgeted::over) continue;
    before += budgeted == Budgeted::taken ? 1 : 0;
    kept.push_back(std::move(scheduled));
  }
  scheduled_urls = std::move(kept);
  return {};
}

// The operator's own for that host; otherwise that of all, and what the domains that link to it add.
uint64_t Frontier::budget_of(const Host& host, const HostRules& rules, uint64_t linking) const {
  const auto each = static_cast<uint64_t>(rules.politeness.budget_per_domain);
  const uint64_t budget = host.orders.budget.value_or(static_cast<uint64_t>(rules.politeness.host_budget));
  if (budget == 0) return kNoBudget;
  return host.orders.budget || each == 0 ? budget : budget + each * linking_domains(linking);
}

// Of a host that is on its way into memory: its rules are not laid on yet.
uint64_t Frontier::budget_coming_in(const Host& host) const {
  const auto own = host.rules == nullptr && options_.rules_of ? options_.rules_of(host.name) : host.rules;
  return budget_of(host, own ? *own : rules_, host.linking);
}

// `before`: new URLs of the host that stand before it. Those of hosts out of memory are looked at when the host is in.
Result<Frontier::Budgeted> Frontier::look_at_budget(const ScheduledUrl& scheduled, uint64_t before) {
  if (scheduled.candidate.is_seed || scheduled.candidate.force) return Budgeted::free;
  TRY(const bool seen, seen_.contains(scheduled.fingerprint));
  if (seen) return Budgeted::free;
  const Host* const host = store_.find(scheduled.host);
  std::shared_ptr<const HostRules> own = host != nullptr ? host->rules : nullptr;
  if (host == nullptr && options_.rules_of) own = options_.rules_of(scheduled.host);
  const HostRules& rules = own ? *own : rules_;
  if (rules.order.stale_patterns == StalePatterns::stop &&
      yield_.state_of(scheduled.candidate.url) == PathYield::State::dry) {
    ++store_.totals().over_patterns;
    return Budgeted::over;
  }
  if (host != nullptr) {
    const uint64_t linking = host->linking | linking_bit(scheduled.candidate.via, host->name);
    if (host->taken() + before < budget_of(*host, rules, linking)) return Budgeted::taken;
    ++store_.totals().over_host_budget;
    return Budgeted::over;
  }
  const auto domain_hosts = static_cast<uint64_t>(rules.politeness.domain_hosts);
  if (domain_hosts == 0 || store_.hosts_of_domain(scheduled.host) < domain_hosts) return Budgeted::taken;
  TRY(const bool known, store_.knows(scheduled.host));
  if (known) return Budgeted::taken;
  ++store_.totals().over_domain_hosts;
  return Budgeted::over;
}

}  // namespace caddis::frontier
