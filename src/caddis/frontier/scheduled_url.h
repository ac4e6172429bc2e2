// A candidate with what the lane has computed for it, and how the frontier answers it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/frontier/candidate.h"
#include "caddis/frontier/settings.h"

namespace caddis::frontier {

struct ScheduledUrl {
  Candidate candidate;
  uint64_t fingerprint = 0;
  std::string origin;
  std::string host;
  std::optional<Precedence> precedence;                  // otherwise as its hop path says
  std::shared_ptr<const OrderSettings> order = nullptr;  // what sheets say of the URL; null: that of the crawl
};

// How the frontier answers one candidate. Whoever is not accepted and no duplicate was rejected by the rule named.
enum class ScheduleAnswer : uint8_t {
  accepted,       // of a host that is not resident: unless its budget says otherwise when it is loaded
  duplicate,      // its key was seen before
  host_budget,    // `host-budget`, or the operator's for that host
  domain_hosts,   // `domain-hosts`
  stale_pattern,  // `stale-patterns: stop`
};

// The rule as reports name it: "host-budget"; "accepted" and "duplicate" for the others.
constexpr std::string_view to_string(ScheduleAnswer answer) {
  switch (answer) {
    case ScheduleAnswer::accepted:
      return "accepted";
    case ScheduleAnswer::duplicate:
      return "duplicate";
    case ScheduleAnswer::host_budget:
      return "host-budget";
    case ScheduleAnswer::domain_hosts:
      return "domain-hosts";
    case ScheduleAnswer::stale_pattern:
      return "stale-patterns";
  }
  return "";
}

// A URL that was accepted, and then dropped by that rule before it was queued: its host was not resident.
struct DroppedUrl {
  Candidate candidate;
  ScheduleAnswer rule = ScheduleAnswer::host_budget;
};

struct ScheduleResult {
  std::vector<ScheduleAnswer> answers;     // one for each candidate, in their order
  std::vector<uint64_t> new_fingerprints;  // of those that were never seen, in order: for the log of the seen-set
};

}  // namespace caddis::frontier
