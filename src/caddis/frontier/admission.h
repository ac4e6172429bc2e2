// Which of the URLs that were found are taken: those within the budgets of their host and domain, and of patterns that
// go on saying something new. Each that is not is rejected by a named rule, and counted.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/counters.h"
#include "caddis/frontier/deferred_links.h"
#include "caddis/frontier/host_rows.h"
#include "caddis/frontier/host_table.h"
#include "caddis/frontier/rules_book.h"
#include "caddis/frontier/scheduled_url.h"
#include "caddis/frontier/trap_detector.h"
#include "caddis/store/seen.h"

namespace caddis::frontier {

class Admission {
 public:
  Admission(const RulesBook& rules, const HostTable& table, HostRows& rows, const DeferredLinks& deferred,
            Counters& counters, store::SeenSet& seen)
      : rules_(rules), table_(table), rows_(rows), deferred_(deferred), counters_(counters), seen_(seen) {}

  TrapDetector& traps() { return traps_; }

  // One answer for each: accepted, or rejected by a rule. Asked before anything is remembered as seen: if an operator
  // gives more, what is found again counts again.
  Result<std::vector<ScheduleAnswer>> judge(std::span<const ScheduledUrl> scheduled);
  // Drops URLs over the budget of a host that has just been loaded; they are seen already, since nobody knew how
  // many the host had when they were found. Adds what their page tells of the domains that link to the host. Returns
  // for each whether it was dropped; nothing if none was.
  // `is_answered`: somebody is told which; otherwise they are kept for `take_dropped`.
  std::vector<bool> keep_within_budget(Host& host, std::vector<Candidate>& urls, bool is_answered);
  // Keeps URLs that are dropped after they were accepted, for whoever takes them.
  void keep_dropped() { keeps_dropped_ = true; }
  std::vector<DroppedUrl> take_dropped() { return std::exchange(dropped_, {}); }
  // Whether a URL of a host that may be new is within `domain-hosts`; it is counted if it is not.
  Result<bool> takes_host(const Candidate& url, const std::string& host);
  // The page's domain links to the host.
  void count_referrer(Host& host, std::string_view page) const;
  // From now on budgets of single hosts are looked for, too.
  void expect_overrides(const HostOverrides& overrides) { has_overrides_ |= overrides.budget.has_value(); }
  // Whether anything was ever heard of the host.
  Result<bool> knows(const std::string& host) const;

 private:
  // The answer to a URL, and its weight.
  struct Judged {
    ScheduleAnswer answer = ScheduleAnswer::accepted;
    bool counts = false;  // towards the budget of its host
  };
  Result<Judged> judge(const ScheduledUrl& scheduled, uint64_t before);
  Result<ScheduleAnswer> judge_new_host(const std::string& host, const HostRules& rules) const;
  static uint64_t budget_of(const Host& host, const HostRules& rules, uint64_t referring);

  const RulesBook& rules_;
  const HostTable& table_;
  HostRows& rows_;
  const DeferredLinks& deferred_;
  Counters& counters_;
  store::SeenSet& seen_;
  TrapDetector traps_;
  bool has_overrides_ = false;  // some host that was loaded has a budget of its own
  bool keeps_dropped_ = false;
  std::vector<DroppedUrl> dropped_;
};

}  // namespace caddis::frontier
