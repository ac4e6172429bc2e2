#include "caddis/frontier/admission.h"

#include <limits>
#include <map>
#include <utility>

#include "caddis/frontier/chunk.h"
#include "caddis/frontier/referring_domains.h"

namespace caddis::frontier {
namespace {

// The budget of a host of which any number of URLs is taken.
constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

Totals rejected_by(ScheduleAnswer rule) {
  Totals share;
  if (rule == ScheduleAnswer::host_budget) share.over_host_budget = 1;
  if (rule == ScheduleAnswer::domain_hosts) share.over_domain_hosts = 1;
  if (rule == ScheduleAnswer::stale_pattern) share.over_patterns = 1;
  return share;
}

}  // namespace

Result<std::vector<ScheduleAnswer>> Admission::judge(std::span<const ScheduledUrl> scheduled) {
  std::vector<ScheduleAnswer> answers(scheduled.size(), ScheduleAnswer::accepted);
  const RulesSummary& any = rules_.summary();
  const bool stops_patterns = any.stops_patterns && !traps_.all_novel();
  if (!any.host_budgets && !any.domain_hosts && !stops_patterns && !has_overrides_) return answers;
  std::map<std::string, uint64_t> accepted;  // of each host, by those before it
  for (size_t i = 0; i < scheduled.size(); ++i) {
    uint64_t& before = accepted[scheduled[i].host];
    TRY(const Judged judged, judge(scheduled[i], before));
    answers[i] = judged.answer;
    if (judged.counts) ++before;
    if (judged.answer != ScheduleAnswer::accepted) counters_.add(rejected_by(judged.answer));
  }
  return answers;
}

// The operator's own for that host; otherwise that of all, and what the domains that link to it add.
uint64_t Admission::budget_of(const Host& host, const HostRules& rules, uint64_t referring) {
  const auto each = static_cast<uint64_t>(rules.politeness.budget_per_domain);
  const uint64_t budget = host.overrides.budget.value_or(static_cast<uint64_t>(rules.politeness.host_budget));
  if (budget == 0) return kUnlimited;
  return host.overrides.budget || each == 0 ? budget : budget + each * referring_domains(referring);
}

// `before`: new URLs of the host that stand before it. Hosts that are not resident are judged when they are loaded.
Result<Admission::Judged> Admission::judge(const ScheduledUrl& scheduled, uint64_t before) {
  const Candidate& candidate = scheduled.candidate;
  if (candidate.is_seed || candidate.force) return Judged{};
  TRY(const bool seen, seen_.contains(scheduled.fingerprint));
  if (seen) return Judged{};
  const Host* const host = table_.find(scheduled.host);
  const auto own = host != nullptr ? host->rules : rules_.sheets_of(scheduled.host);
  const HostRules& rules = own ? *own : rules_.of_crawl();
  if (rules.order.stale_patterns == StalePatterns::stop && traps_.state_of(candidate.url) == TrapDetector::State::trap)
    return Judged{ScheduleAnswer::stale_pattern};
  if (host != nullptr) {
    const uint64_t referring = host->referring | referring_bit(candidate.via, host->name);
    if (host->accepted() + before >= budget_of(*host, rules, referring)) return Judged{ScheduleAnswer::host_budget};
    return Judged{ScheduleAnswer::accepted, true};
  }
  TRY(const ScheduleAnswer answer, judge_new_host(scheduled.host, rules));
  return Judged{answer, answer == ScheduleAnswer::accepted};
}

Result<ScheduleAnswer> Admission::judge_new_host(const std::string& host, const HostRules& rules) const {
  const auto most = static_cast<uint64_t>(rules.politeness.domain_hosts);
  if (most == 0) return ScheduleAnswer::accepted;
  TRY(const uint64_t met, table_.hosts_of_domain(host));
  if (met < most) return ScheduleAnswer::accepted;
  TRY(const bool known, knows(host));
  return known ? ScheduleAnswer::accepted : ScheduleAnswer::domain_hosts;
}

Result<bool> Admission::takes_host(const Candidate& url, const std::string& host) {
  if (url.is_seed || url.force || !rules_.summary().domain_hosts || table_.find(host) != nullptr) return true;
  const auto own = rules_.sheets_of(host);
  TRY(const ScheduleAnswer answer, judge_new_host(host, own ? *own : rules_.of_crawl()));
  if (answer == ScheduleAnswer::accepted) return true;
  counters_.add(rejected_by(answer));
  if (keeps_dropped_) dropped_.push_back({url, answer});
  return false;
}

Result<bool> Admission::knows(const std::string& name) const {
  if (table_.find(name) != nullptr) return true;
  Host host = table_.blank(name);
  TRY(bool known, rows_.read(host));
  if (known) return true;
  TRY_VOID(deferred_.each(name, [&](const DeferredChunk&) -> Result<void> {
    known = true;
    return {};
  }));
  return known;
}

void Admission::count_referrer(Host& host, std::string_view page) const {
  if (rules_.summary().links_count) host.referring |= referring_bit(page, host.name);
}

std::vector<bool> Admission::keep_within_budget(Host& host, std::vector<Candidate>& urls, bool is_answered) {
  count_referrer(host, urls.front().via);
  const uint64_t budget = budget_of(host, rules_.of(host), host.referring);
  if (budget == kUnlimited) return {};
  uint64_t accepted = host.accepted();
  std::vector<bool> dropped;
  dropped.reserve(urls.size());
  for (const Candidate& url : urls) {
    dropped.push_back(accepted >= budget && !url.is_seed && !url.force);
    accepted += dropped.back() ? 0 : 1;
    if (dropped.back() && keeps_dropped_ && !is_answered) dropped_.push_back({url, ScheduleAnswer::host_budget});
  }
  size_t at = 0;
  const size_t over = std::erase_if(urls, [&](const Candidate&) { return dropped[at++]; });
  counters_.add({.over_host_budget = over});
  return over > 0 ? std::move(dropped) : std::vector<bool>();
}

}  // namespace caddis::frontier
