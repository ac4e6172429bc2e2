#include "caddis/frontier/quotas.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/frontier/order.h"
#include "caddis/frontier/rows.h"
#include "caddis/url/domain.h"

namespace caddis::frontier {
namespace {

constexpr std::string_view kQuotasKey = "quotas";

bool retires(const Host& host) {
  return std::ranges::any_of(host.queues, [](const auto& queue) { return queue->over.retires(); });
}

// A host that has none stands for itself.
std::string domain_of(const Host& host) {
  const std::string_view domain = url::registrable_domain(host.name);
  return domain.empty() ? host.name : std::string(domain);
}

bool is_over(const Host& host) {
  return std::ranges::any_of(host.queues, [](const auto& queue) { return queue->over.quota != Quota::none; });
}

}  // namespace

std::string Quotas::line() const {
  const HostRules& of_crawl = rules_.of_crawl();
  return fmt::format("{}{}{}", quota_line(of_crawl.quota), of_crawl.order.retire ? "all retired " : "", of_sheets_);
}

Result<void> Quotas::open() {
  store::Kv& kv = rows_.cache().kv();
  update_reach();
  TRY_VOID(groups_.load(kv, rows_.families().totals));
  TRY(const auto written, kv.get(rows_.families().totals, kQuotasKey));
  followed_ = line();
  if (written.value_or("") != followed_) review_ = std::string(kOverPrefix);
  return {};
}

void Quotas::update_reach() {
  has_quotas_ = rules_.summary().quotas;
  has_domain_quotas_ = rules_.summary_of_sheets().domain_quotas || has_domain_quota(rules_.of_crawl().quota);
}

std::optional<Quotas::OfDomain> Quotas::usage_of_domain(const Host& host) const {
  if (!has_domain_quotas_) return std::nullopt;
  return read_domain(host);
}

Quotas::OfDomain Quotas::read_domain(const Host& host) const {
  OfDomain found{domain_of(host), {}};
  const auto row = rows_.cache().get(rows_.families().totals, domain_key(found.domain));
  auto used = !row ? std::unexpected(row.error()) : *row ? read_domain_usage(**row) : Result<DomainUsage>();
  if (used)
    found.used = *used;
  else
    trouble_ = std::move(used).error();
  return found;
}

std::string Quotas::begin_visit(const Host& host) {
  if (!has_domain_quotas_) return {};
  std::string domain = domain_of(host);
  ++in_flight_[domain];
  return domain;
}

void Quotas::end_visit(const std::string& domain) {
  const auto found = in_flight_.find(domain);
  if (found != in_flight_.end() && --found->second == 0) in_flight_.erase(found);
}

bool Quotas::waits_for_others(const Host& host) const {
  if (!has_domain_quotas_ || in_flight_.empty()) return false;
  const auto found = in_flight_.find(domain_of(host));
  if (found == in_flight_.end()) return false;
  const Usage nothing;
  const DomainUsage expected = expected_with(read_domain(host).used, found->second);
  return used_up(rules_.of(host).quota, {nothing, nothing, nothing, expected}) != Quota::none;
}

Result<void> Quotas::trouble() const {
  if (trouble_) return std::unexpected(*trouble_);
  return {};
}

Usage Quotas::count(Queue& queue, const Disposition& disposition, Outcome outcome) {
  const LeaseKind kind = disposition.lease.kind;
  if (disposition.local_failure || disposition.verdict == Verdict::returned || kind == LeaseKind::dns) return {};
  const OrderSettings& order = rules_.of(*queue.host).order;
  Usage taken;
  if (kind == LeaseKind::url && disposition.lease.given_up == 0)
    taken.cost = rules_.choices().cost_of(order, disposition.lease.candidate) +
                 (is_error(disposition) ? static_cast<uint32_t>(order.error_penalty) : 0);
  if (disposition.status > 0) {
    taken.bytes = disposition.bytes;
    taken.novel_bytes = disposition.novel_bytes;
    taken.responses = kind == LeaseKind::url ? 1 : 0;
    taken.successes = kind == LeaseKind::url && outcome == Outcome::final ? 1 : 0;
  }
  if (taken != Usage() || kind == LeaseKind::robots) {
    OfDomain of_domain = read_domain(*queue.host);
    of_domain.used.usage += taken;
    of_domain.used.time += disposition.fetch_time;
    rows_.cache().change(rows_.families().totals, domain_key(of_domain.domain), write_domain_usage(of_domain.used));
  }
  if (taken == Usage()) return taken;
  queue.usage += taken;
  rows_.mark_dirty(*queue.host);
  if (const std::string group = politeness_.group_of(*queue.host); !group.empty()) groups_.add(group, taken);
  return taken;
}

bool Quotas::is_below_floor(const Queue& queue) const {
  const auto floor = static_cast<uint64_t>(rules_.of(*queue.host).quota.precedence_floor);
  return floor != 0 && rules_.rank_of(queue) > floor;
}

bool Quotas::judge(Host& host) {
  if (!has_quotas_ && !is_over(host)) return false;
  const QuotaSettings& quotas = rules_.of(host).quota;
  const bool is_retired = rules_.of(host).order.retire;
  const Usage of_host = host.usage();
  const Usage& of_group = groups_.of(politeness_.group_of(host));
  const DomainUsage of_domain = usage_of_domain(host).value_or(OfDomain()).used;
  const bool retired_before = retires(host);
  bool changed = false;
  for (const auto& queue : host.queues) {
    OverQuota over{used_up(quotas, {of_host, queue->usage, of_group, of_domain}), false};
    if (over.quota == Quota::none && is_below_floor(*queue)) over.quota = Quota::precedence_floor;
    over.drops = over.quota != Quota::none && quotas.action == QuotaAction::drop;
    if (is_retired) over = {Quota::retire, false};
    if (queue->over == over) continue;
    changed = true;
    counters_.change(*queue, [&] { queue->over = over; });
  }
  if (!changed) return false;
  rows_.mark_dirty(host);
  if (const bool retired = retires(host); retired != retired_before)
    rows_.cache().change(rows_.families().totals, over_key(host.partition, host.name),
                         retired ? std::optional<std::string>("") : std::nullopt);
  return true;
}

bool Quotas::update(std::string of_sheets) {
  of_sheets_ = std::move(of_sheets);
  update_reach();
  if (line() == followed_) return false;
  followed_ = line();
  review_ = std::string(kOverPrefix);
  return true;
}

Result<std::vector<std::string>> Quotas::next_to_review() {
  constexpr size_t kAtOnce = 256;
  std::vector<std::string> hosts;
  std::string next;
  const auto see = [&](std::string_view key, std::string_view) -> Result<bool> {
    if (hosts.size() == kAtOnce) {
      next = key;
      return false;
    }
    hosts.emplace_back(key.substr(over_key(0, "").size()));
    return true;
  };
  TRY_VOID(rows_.each_from(rows_.families().totals, kOverPrefix, *review_, see));
  review_ = std::move(next);
  return hosts;
}

void Quotas::end_review() {
  if (!review_ || !review_->empty()) return;
  review_.reset();
  line_to_write_ = line();
}

void Quotas::stage(store::Batch& batch) {
  groups_.stage(batch, rows_.families().totals);
  if (line_to_write_) batch.put(rows_.families().totals, kQuotasKey, *line_to_write_);
  line_to_write_.reset();
}

}  // namespace caddis::frontier
