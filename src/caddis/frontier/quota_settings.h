// The section `quota` of crawl.yaml: how much may be taken from a host, a server, a politeness group or
// a registrable domain, and for the seeds of one.
#pragma once

#include <cstdint>

#include "caddis/settings/schema.h"

namespace caddis::frontier {

enum class QuotaAction { retire, drop };

// 0: no quota.
struct QuotaSettings {
  int64_t host_successes = 0, host_responses = 0, host_bytes = 0, host_novel_bytes = 0;
  int64_t server_successes = 0, server_responses = 0, server_bytes = 0, server_novel_bytes = 0;
  int64_t group_successes = 0, group_responses = 0, group_bytes = 0, group_novel_bytes = 0;
  int64_t host_cost = 0, server_cost = 0, group_cost = 0;
  int64_t domain_successes = 0, domain_responses = 0, domain_bytes = 0, domain_novel_bytes = 0, domain_cost = 0;
  Duration domain_time{};
  int64_t seed_domain_successes = 0, seed_domain_bytes = 0, seed_domain_hosts = 0;
  Duration seed_domain_time{};
  int64_t precedence_floor = 0;
  QuotaAction action = QuotaAction::retire;
};

}  // namespace caddis::frontier

namespace caddis::settings {
template <>
const Schema& schema_of<frontier::QuotaSettings>();
}
