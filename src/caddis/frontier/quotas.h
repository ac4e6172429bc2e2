// Counts what visits take from hosts, servers, politeness groups and registrable domains, and holds queues back since a
// quota is used up, or `frontier.retire` holds for their host. The usage of a domain is a row, read when it is asked for:
// there may be any number of them. Hosts that are not resident and were held back under other rules are reviewed: nothing
// else loads them.
//
// Belongs to the frontier's thread.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/counters.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/host_rows.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/politeness.h"
#include "caddis/frontier/quota.h"
#include "caddis/frontier/rules_book.h"

namespace caddis::frontier {

class Quotas {
 public:
  // `of_sheets`: the quotas of sheets, and whom they retire, in any words that change with them.
  Quotas(const RulesBook& rules, const Politeness& politeness, Counters& counters, HostRows& rows,
         std::string of_sheets)
      : rules_(rules), politeness_(politeness), counters_(counters), rows_(rows), of_sheets_(std::move(of_sheets)) {}
  Result<void> open();

  // Adds what the visit has taken to its queue, its group and its domain; returns it.
  Usage count(Queue& queue, const Disposition& disposition, Outcome outcome);
  // Holds queues of the host back, or takes them up again, as its quotas have it. Returns whether anything changed:
  // then the host is to be planned anew.
  bool judge(Host& host);
  // The usage of the group that an operator has put the host into.
  const Usage& usage_of_group(const std::string& group) const { return groups_.of(group); }

  // The usage of the host's registrable domain, while any quota of domains is set. It is counted always: a quota that is
  // set later counts what was taken before.
  struct OfDomain {
    std::string domain;
    DomainUsage used;
  };
  std::optional<OfDomain> usage_of_domain(const Host& host) const;
  // A visit of a URL begins. Returns the domain of which it may use up a quota, for `end_visit`.
  std::string begin_visit(const Host& host);
  void end_visit(const std::string& domain);
  // Whether visits in flight may use up the last of a quota of the host's domain: another is to wait for their ends.
  bool waits_for_others(const Host& host) const;
  // An error that has kept the usage of a domain from being read.
  Result<void> trouble() const;

  // Rules have changed: returns whether quotas are among what is different. Then those that were held back are reviewed.
  bool update(std::string of_sheets);
  bool is_reviewing() const { return review_.has_value(); }
  // The next hosts to be judged. `end_review` is to be called when they are.
  Result<std::vector<std::string>> next_to_review();
  // Ends the review if nobody is left to be judged.
  void end_review();

  void stage(store::Batch& batch);

 private:
  std::string line() const;
  void update_reach();
  OfDomain read_domain(const Host& host) const;
  bool is_below_floor(const Queue& queue) const;

  const RulesBook& rules_;
  const Politeness& politeness_;
  Counters& counters_;
  HostRows& rows_;
  std::unordered_map<std::string, uint64_t> in_flight_;  // visits of domains
  std::string of_sheets_, followed_;                     // `line()` as it was last
  GroupUsage groups_;
  bool has_quotas_ = false, has_domain_quotas_ = false;
  mutable std::optional<Error> trouble_;
  std::optional<std::string> review_;  // the key where the review stands; empty: behind the last
  std::optional<std::string> line_to_write_;
};

}  // namespace caddis::frontier
