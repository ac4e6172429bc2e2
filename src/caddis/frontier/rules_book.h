// The rules of each host: those of the crawl, unless sheets say otherwise; and who decides where they say `module`.
//
// Belongs to the frontier's thread. References are good until the rules are changed.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "caddis/frontier/host.h"
#include "caddis/frontier/host_rules.h"
#include "caddis/frontier/policy_choices.h"

namespace caddis::frontier {

class RulesBook {
 public:
  // `sheets`: the rules that sheets give a host, asked for whenever it is loaded; `summary`: what all of them ask for.
  RulesBook(HostRules of_crawl, RulesOfHost sheets, const RulesSummary& summary,
            PolicyChoices choices = PolicyChoices(nullptr))
      : of_crawl_(std::move(of_crawl)),
        sheets_(std::move(sheets)),
        of_sheets_(summary),
        summary_(summary),
        choices_(std::move(choices)) {
    summary_.include(of_crawl_);
  }

  const HostRules& of_crawl() const { return of_crawl_; }
  const PolicyChoices& choices() const { return choices_; }
  // The precedence of a queue among those that are due.
  uint32_t rank_of(const Queue& queue) const { return choices_.rank_of(of_crawl_.order, queue); }
  const HostRules& of(const Host& host) const { return host.rules ? *host.rules : of_crawl_; }
  // The rules that sheets give to a host that may not be resident; null: nothing.
  std::shared_ptr<const HostRules> sheets_of(const std::string& host) const {
    return sheets_ ? sheets_(host) : nullptr;
  }
  void renew(Host& host) const {
    if (sheets_) host.rules = sheets_(host.name);
  }
  const RulesSummary& summary() const { return summary_; }
  // The same of the sheets alone.
  const RulesSummary& summary_of_sheets() const { return of_sheets_; }

  // Change the rules; hosts with rules of their own are renewed by whoever calls this.
  void replace(HostRules of_crawl, const RulesSummary& of_sheets) {
    of_crawl_ = std::move(of_crawl);
    summary_ = of_sheets_ = of_sheets;
    summary_.include(of_crawl_);
  }

 private:
  HostRules of_crawl_;
  RulesOfHost sheets_;
  RulesSummary of_sheets_, summary_;
  PolicyChoices choices_;
};

}  // namespace caddis::frontier
