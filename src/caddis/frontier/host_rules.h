// Settings that may differ between hosts: those that the frontier follows for one of them, sheets laid over them.
//
// Immutable once a host has it: hosts for which the same sheets hold share one. Made by whoever knows the sheets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "caddis/frontier/again.h"
#include "caddis/frontier/login_table.h"
#include "caddis/frontier/quota_settings.h"
#include "caddis/frontier/settings.h"

namespace caddis::frontier {

struct HostRules {
  PolitenessSettings politeness;
  OrderSettings order;
  QuotaSettings quota;
  Again again;
  bool obey_robots = true;
  std::string user_agent;           // for the Crawl-delay of robots.txt
  std::vector<std::string> sheets;  // their names
  bool resolves_names = true;       // false behind a proxy, which does it: leases have no address
  LoginRule login = {};
};

// The most that a number of rules ask for: what no sheet asks for need not be checked host by host.
struct RulesSummary {
  Duration longest_wait{};
  bool host_budgets = false, domain_hosts = false, links_count = false, stops_patterns = false, quotas = false,
       domain_quotas = false, seed_quotas = false;

  void include(const HostRules& rules);
};

// The rules of a host; null where they are those of the crawl.
using RulesOfHost = std::function<std::shared_ptr<const HostRules>(const std::string& host)>;

}  // namespace caddis::frontier
