// Quotas for the seeds of each registrable domain: what is visited since links from them led there counts together,
// whatever host it is on. Queues hold URLs of many seeds, so nothing is held back: what is over a quota is given up, URL
// by URL, with the reason on record.
//
// The usage of a domain is a row, read when it is asked for: there may be any number of domains. It is counted while such a quota
// is set, and costs nothing otherwise. Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/error.h"
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/host_rows.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/quota.h"
#include "caddis/frontier/rules_book.h"

namespace caddis::frontier {

class SeedQuotas {
 public:
  SeedQuotas(const RulesBook& rules, HostRows& rows) : rules_(rules), rows_(rows) {}

  // Whether any is set, for the seeds of whatever domain.
  bool any() const { return rules_.summary().seed_quotas; }

  struct Standing {
    std::string_view used_up;  // the quota that is: the name of its setting; empty if none is
    bool waits = false;        // visits in flight may use up the last of one: how they end is to be known first
  };
  // The standing of a URL that is to be visited next, on that host.
  Result<Standing> standing(const Candidate& candidate, const std::string& host) const;
  // A visit of the URL begins. Returns the domain of its seed, for `end_visit`; empty if nothing is counted.
  Result<std::string> begin_visit(const Candidate& candidate, const std::string& host);
  void end_visit(const std::string& domain);
  // `taken`: what the visit has taken from its host.
  void count(const Disposition& disposition, const Usage& taken);
  // An error that has kept something from being counted.
  Result<void> trouble() const;

 private:
  QuotaSettings settings_of(const std::string& domain) const;
  Result<DomainUsage> used_by(const std::string& domain) const;
  Result<uint64_t> hosts_of(const std::string& domain) const;
  Result<bool> knows(const std::string& domain, const std::string& host) const;

  const RulesBook& rules_;
  HostRows& rows_;
  std::optional<Error> trouble_;
  std::unordered_map<std::string, uint64_t> in_flight_;  // visits, by the domain of their seeds
};

}  // namespace caddis::frontier
