// Politeness and retries: the settings of the frontier.
#pragma once

#include <optional>

#include "caddis/base/clock.h"
#include "caddis/settings/schema.h"

namespace caddis::frontier {

struct PolitenessSettings {
  std::optional<Duration> delay;
  double delay_factor = 5.0;
  Duration min_delay = std::chrono::seconds(3);
  Duration max_delay = std::chrono::seconds(30);
  Duration max_crawl_delay = std::chrono::seconds(300);
  int64_t max_per_address = 4;

  Duration url_retry_delay = std::chrono::seconds(30);
  int64_t url_retries = 3;
  Duration host_retry_delay = std::chrono::seconds(10);
  Duration max_retry_delay = std::chrono::minutes(15);
  int64_t host_failures = 5;
  Duration set_aside = std::chrono::minutes(30);
  int64_t host_probes = 2;

  int64_t host_budget = 0;
  int64_t domain_hosts = 0;
};

}  // namespace caddis::frontier

namespace caddis::settings {
template <>
const Schema& schema_of<frontier::PolitenessSettings>();
}
