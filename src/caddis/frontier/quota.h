// How much may be taken from a host, a server (an origin: scheme, host, port), a politeness group or a registrable
// domain: what was taken so far, and which quota it has used up. Pure but for GroupUsage, which belongs to the frontier.
//
// A quota is looked at before a URL is leased, and visits in flight end as they may: a host goes over its bytes by its
// last document, and by the others that are visited at the same time where that is allowed. Of a domain no visit begins
// that may go over it together with those in flight on its other hosts: so its documents are exact.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/quota_settings.h"
#include "caddis/store/kv.h"

namespace caddis::frontier {

// Counts of what was taken. DNS counts nowhere; robots.txt counts as bytes alone.
struct Usage {
  uint64_t successes = 0;    // URLs captured, whatever the HTTP status
  uint64_t responses = 0;    // answers, those of tries that are repeated included
  uint64_t bytes = 0;        // of responses
  uint64_t novel_bytes = 0;  // of them, those that are no repetition
  uint64_t cost = 0;         // of visits, as `frontier.cost` has it, with penalties

  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};

// The same of all hosts of a registrable domain.
struct DomainUsage {
  Usage usage;
  Duration time{};  // of fetches

  bool operator==(const DomainUsage&) const = default;
};

// Numbers stand in state on disk.
enum class Quota : uint8_t {
  none = 0,
  host_successes = 1,
  host_responses = 2,
  host_bytes = 3,
  host_novel_bytes = 4,
  server_successes = 5,
  server_responses = 6,
  server_bytes = 7,
  server_novel_bytes = 8,
  group_successes = 9,
  group_responses = 10,
  group_bytes = 11,
  group_novel_bytes = 12,
  host_cost = 13,
  server_cost = 14,
  group_cost = 15,
  precedence_floor = 16,  // of the queue: order.h
  domain_successes = 17,
  domain_responses = 18,
  domain_bytes = 19,
  domain_novel_bytes = 20,
  domain_cost = 21,
  domain_time = 22,
  retire = 23,  // no quota, but `frontier.retire`
};
inline constexpr uint64_t kLastQuota = 23;

// The name of its setting: "host-successes"; empty for none, and what is no quota.
std::string_view to_string(Quota quota);
// The usages that count for a queue.
struct Usages {
  const Usage& host;
  const Usage& server;
  const Usage& group;
  const DomainUsage& domain;
};
// The first that is used up, hosts before servers before groups before domains.
Quota used_up(const QuotaSettings& settings, const Usages& usages);
// Returns what the domain has used if as many visits as are in flight end like those before them on average.
DomainUsage expected_with(const DomainUsage& used, uint64_t in_flight);
// Whether a quota of domains is set, and one of the seeds of domains (seed_quotas.h).
bool has_domain_quota(const QuotaSettings& settings);
bool has_seed_quota(const QuotaSettings& settings);
// All of the settings in one line, empty where there is no quota: to find out whether they changed.
std::string quota_line(const QuotaSettings& settings);

// The quota (or the setting `frontier.retire`) that holds a queue's URLs back, and how.
struct OverQuota {
  Quota quota = Quota::none;
  bool drops = false;  // its URLs are given up, rather than that they wait

  bool retires() const { return quota != Quota::none && !drops; }
  bool is_quota() const { return quota != Quota::none && quota != Quota::retire; }
  bool operator==(const OverQuota&) const = default;
};

// The usage of each politeness group; operators name them, so they are few.
class GroupUsage {
 public:
  const Usage& of(const std::string& group) const;
  void add(const std::string& group, const Usage& taken);
  // Adds the rows that changed since the last call: docs/formats/frontier.md.
  void stage(store::Batch& batch, store::Family family);
  Result<void> load(store::Kv& kv, store::Family family);

 private:
  std::map<std::string, Usage> groups_;
  std::set<std::string> dirty_;
};

}  // namespace caddis::frontier
