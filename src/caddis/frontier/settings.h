// Politeness and retries: the settings of the frontier.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/settings/schema.h"

namespace caddis::frontier {

enum class GroupAssignment : uint8_t { host, domain, address, labels, bucket, module };

struct PolitenessSettings {
  std::optional<Duration> delay;
  double delay_factor = 5.0;
  Duration min_delay = std::chrono::seconds(3);
  Duration max_delay = std::chrono::seconds(30);
  Duration max_crawl_delay = std::chrono::seconds(300);
  int64_t max_per_address = 4;
  Duration address_delay{};
  int64_t visits_per_host = 1;
  int64_t batch = 1;
  GroupAssignment group_assignment = GroupAssignment::host;
  int64_t labels = 3;
  int64_t buckets = 1021;
  std::vector<std::string> groups;
  int64_t host_bandwidth = 0;
  int64_t bandwidth = 0;

  Duration url_retry_delay = std::chrono::seconds(30);
  int64_t url_retries = 3;
  Duration host_retry_delay = std::chrono::seconds(10);
  Duration max_retry_delay = std::chrono::minutes(15);
  int64_t host_failures = 5;
  Duration set_aside = std::chrono::minutes(30);
  int64_t host_probes = 2;

  int64_t host_budget = 0;
  int64_t budget_per_domain = 0;
  int64_t domain_hosts = 0;
};

enum class UrlOrder : uint8_t { found, hops, deep, cost, opic, module };
enum class CostPolicy : uint8_t { unit, zero, wag, anti_calendar, module };
enum class StalePatterns : uint8_t { keep, last, stop };
enum class QueueOrderPolicy : uint8_t { due, successes, highest_url, module };

struct OrderSettings {
  UrlOrder order = UrlOrder::found;
  CostPolicy cost = CostPolicy::unit;
  int64_t embed_preference = 1;
  int64_t depth_preference = -1;
  QueueOrderPolicy queues = QueueOrderPolicy::due;
  StalePatterns stale_patterns = StalePatterns::last;
  int64_t session_budget = 300;
  bool jobs_at_once = false;
  bool retire = false;
  int64_t error_penalty = 10;
  std::string precedences;
  int64_t base_precedence = 1;
  std::string policy;
  std::string module;
  int64_t ahead = 1000;
};

}  // namespace caddis::frontier

namespace caddis::settings {
template <>
const Schema& schema_of<frontier::PolitenessSettings>();
template <>
const Schema& schema_of<frontier::OrderSettings>();
}  // namespace caddis::settings
