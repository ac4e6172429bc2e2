// What a visit has taken is counted, and queues whose quota is used up are retired, or their URLs given up.

#include <algorithm>
#include <utility>

#include "caddis/frontier/frontier.h"

namespace caddis::frontier {
namespace {

constexpr std::string_view kQuotasKey = "quotas";

}  // namespace

// Hosts out of memory whose queues were retired under other quotas are looked at again: nothing else brings them in.
Result<void> Frontier::open_quotas() {
  has_quotas_ = reach_.quotas;
  TRY_VOID(group_usage_.load(kv_, store_.families().totals));
  TRY(const auto line, kv_.get(store_.families().totals, kQuotasKey));
  if (line.value_or("") != all_quotas()) review_ = std::string(kOverPrefix);
  return {};
}

std::string Frontier::all_quotas() const { return quota_line(options_.quota) + options_.sheet_quotas; }

// Whose quotas the host shares. Domains and addresses that are polite together have none: they may be millions.
std::string Frontier::group_of(const Host& host) const { return groups_.named(host.name); }

void Frontier::count_usage(Queue& queue, LeaseKind kind, const Disposition& disposition, Outcome outcome) {
  if (disposition.local_failure || disposition.verdict == Verdict::returned || kind == LeaseKind::dns) return;
  const OrderSettings& order = rules(*queue.host).order;
  Usage taken;
  if (kind == LeaseKind::url && disposition.lease.given_up == 0)
    taken.cost = cost_of(order.cost, disposition.lease.candidate) +
                 (is_error(disposition) ? static_cast<uint32_t>(order.error_penalty) : 0);
  if (disposition.status > 0) {
    taken.bytes = disposition.bytes;
    taken.novel_bytes = disposition.novel_bytes;
    taken.responses = kind == LeaseKind::url ? 1 : 0;
    taken.successes = kind == LeaseKind::url && outcome == Outcome::final ? 1 : 0;
  }
  if (taken == Usage()) return;
  queue.usage += taken;
  store_.mark(*queue.host);
  if (const std::string group = group_of(*queue.host); !group.empty()) group_usage_.add(group, taken);
}

bool Frontier::is_below_floor(const Queue& queue) const {
  const auto floor = static_cast<uint64_t>(rules(*queue.host).quota.precedence_floor);
  return floor != 0 && rank_of(queue) > floor;
}

// Whether that changed anything.
bool Frontier::judge_quotas(Host& host) {
  const auto is_over = [](const auto& queue) { return queue->over.quota != Quota::none; };
  if (!has_quotas_ && std::ranges::none_of(host.queues, is_over)) return false;
  const QuotaSettings& quotas = rules(host).quota;
  const Usage of_host = host.usage();
  const std::string group = group_of(host);
  const Usage& of_group = group_usage_.of(group);
  const auto retires = [](const auto& queue) { return queue->over.retires(); };
  const bool before = std::ranges::any_of(host.queues, retires);
  bool changed = false;
  for (const auto& queue : host.queues) {
    OverQuota over{used_up(quotas, of_host, queue->usage, of_group), false};
    if (over.quota == Quota::none && is_below_floor(*queue)) over.quota = Quota::precedence_floor;
    over.drops = over.quota != Quota::none && quotas.action == QuotaAction::drop;
    if (queue->over == over) continue;
    changed = true;
    Totals& totals = store_.totals();
    const uint64_t aside = host.queued_aside();
    totals.forget(*queue);
    queue->over = over;
    totals.remember(*queue);
    totals.queued_aside += host.queued_aside() - aside;
  }
  if (!changed) return false;
  store_.mark(host);
  const bool after = std::ranges::any_of(host.queues, retires);
  if (before != after) store_.mark_over(host, after);
  if (host.has_work()) store_.index(host);
  // Who waited for a queue that has nothing to visit any more waits for nothing.
  if (host.visits == 0)
    for (Queue* const waiting : std::exchange(host.line, {})) waiting->state = Queue::State::idle;
  plan_all(host);
  if (!host.has_work()) note_idle(host);
  return true;
}

void Frontier::set_quotas(const QuotaSettings& quotas) {
  options_.quota = quotas;
  rules_ = rules_of_crawl(options_);
  has_quotas_ = options_.reach.quotas || !quota_line(quotas).empty();
  std::vector<Host*> hosts;
  store_.each([&](Host& host) {
    if (options_.rules_of) host.rules = options_.rules_of(host.name);
    if (host.leaving == 0) hosts.push_back(&host);
  });
  for (Host* const host : hosts) judge_quotas(*host);
  review_ = std::string(kOverPrefix);
}

// A part of the hosts that quotas have retired, whose quotas may have changed.
Result<void> Frontier::review_quotas() {
  constexpr size_t kAtOnce = 256;
  TRY(const auto names, store_.hosts_over(*review_, kAtOnce));
  for (const std::string& name : names) {
    const bool was_in = store_.find(name) != nullptr;
    TRY(Host* const host, host_named(name));
    judge_quotas(*host);
    if (!host->has_work()) note_idle(*host);
    if (!was_in && !store_.has_room() && may_leave(*host)) send_out(*host);
  }
  if (!review_->empty()) return {};
  review_.reset();
  quotas_to_write_ = all_quotas();
  return {};
}

std::string Frontier::why_given_up(const Queue& queue) const {
  if (all_given_up_ != 0) return all_given_up_why_;
  if (queue.given_up() == kAddressRefused && !queue.host->addresses.empty())
    return "refused:" + queue.host->addresses.front();
  return queue.given_up() == kOverQuota ? "Q:" + std::string(to_string(queue.over.quota)) : std::string();
}

void Frontier::give_up_all(int status, std::string why) {
  all_given_up_ = status;
  all_given_up_why_ = std::move(why);
  std::vector<Host*> hosts;
  store_.each([&](Host& host) {
    if (host.leaving == 0) hosts.push_back(&host);
  });
  for (Host* const host : hosts) plan_all(*host);
}

uint64_t Frontier::stage(store::Batch& batch) {
  group_usage_.stage(batch, store_.families().totals);
  if (quotas_to_write_) batch.put(store_.families().totals, std::string(kQuotasKey), *quotas_to_write_);
  quotas_to_write_.reset();
  if (limits_to_write_) batch.put(store_.families().totals, std::string(kHostBandwidthsKey), *limits_to_write_);
  limits_to_write_.reset();
  return store_.stage(batch);
}

}  // namespace caddis::frontier
