#include "caddis/frontier/host_rules.h"

#include <algorithm>

#include "caddis/frontier/quota.h"

namespace caddis::frontier {

void RulesSummary::include(const HostRules& rules) {
  const PolitenessSettings& politeness = rules.politeness;
  longest_wait = std::max({longest_wait, politeness.max_retry_delay, politeness.set_aside, politeness.max_delay,
                           politeness.max_crawl_delay, politeness.min_delay, rules.again.longest()});
  host_budgets |= politeness.host_budget > 0;
  domain_hosts |= politeness.domain_hosts > 0;
  links_count |= politeness.budget_per_domain > 0;
  stops_patterns |= rules.order.stale_patterns == StalePatterns::stop;
  quotas |= !quota_line(rules.quota).empty() || rules.order.retire;
  domain_quotas |= has_domain_quota(rules.quota);
  seed_quotas |= has_seed_quota(rules.quota);
}

}  // namespace caddis::frontier
