#include "caddis/frontier/frontier.h"

#include <algorithm>
#include <utility>

#include "caddis/frontier/frontier_parts.h"
#include "caddis/frontier/intake.h"
#include "caddis/frontier/lease_dispatcher.h"
#include "caddis/frontier/settlement.h"

namespace caddis::frontier {

Frontier::Frontier(std::unique_ptr<FrontierParts> parts)
    : parts_(std::move(parts)),
      dispatcher_(std::make_unique<LeaseDispatcher>(*parts_)),
      settlement_(std::make_unique<Settlement>(*parts_)),
      intake_(std::make_unique<Intake>(*parts_)),
      admin_(*parts_),
      permits_(*parts_) {}

Frontier::~Frontier() = default;

Result<std::unique_ptr<Frontier>> Frontier::open(const Options& options, const Families& families, store::Kv& kv,
                                                 store::SeenSet& seen, const Clock& clock) {
  TRY(auto groups, PolitenessGroups::create(options.politeness));
  auto parts = std::make_unique<FrontierParts>(options, families, std::move(groups), kv, seen, clock);
  TRY_VOID(parts->storage.open());
  TRY_VOID(parts->policies.quotas.open());
  TRY_VOID(parts->held.open());
  return std::unique_ptr<Frontier>(new Frontier(std::move(parts)));
}

Result<std::optional<Lease>> Frontier::next() {
  TRY_VOID(intake_->hand_over());
  return dispatcher_->next();
}
std::optional<SteadyTime> Frontier::next_due() const {
  auto due = dispatcher_->next_due();
  if (const auto ask = intake_->next_hand_over()) due = due ? std::min(*due, *ask) : *ask;
  return due;
}
bool Frontier::is_reviewing() const { return parts_->policies.quotas.is_reviewing(); }
bool Frontier::is_empty() const { return dispatcher_->is_empty(); }
uint64_t Frontier::visiting() const { return parts_->leases.size(); }

Outcome Frontier::finish(const Disposition& disposition) { return settlement_->finish(disposition); }
Result<ScheduleResult> Frontier::schedule(std::vector<ScheduledUrl> urls) { return intake_->schedule(std::move(urls)); }
Result<std::vector<uint64_t>> Frontier::remember(std::span<const uint64_t> fingerprints) {
  return intake_->remember(fingerprints);
}

Result<std::vector<uint64_t>> Frontier::mark(std::span<const uint64_t> marks) {
  TRY(auto fresh, intake_->remember(marks));
  parts_->storage.counters.add({.marks = fresh.size()});
  return fresh;
}
void Frontier::keep_dropped() { parts_->policies.admission.keep_dropped(); }
std::vector<DroppedUrl> Frontier::take_dropped() { return parts_->policies.admission.take_dropped(); }

uint64_t Frontier::stage(store::Batch& batch) {
  parts_->policies.quotas.stage(batch);
  return parts_->storage.stage(batch);
}
void Frontier::committed(uint64_t stage) { parts_->storage.committed(stage); }
bool Frontier::wants_commit() const { return parts_->storage.table.wants_commit(); }

Stats Frontier::stats() const {
  const Totals& totals = parts_->storage.counters.totals();
  return {.queued = totals.queued + parts_->held.size(),
          .held = parts_->held.size(),
          .visiting = parts_->leases.size(),
          .seen = parts_->seen.size() - totals.marks,
          .queues = totals.queues,
          .hosts = totals.hosts,
          .hosts_in_memory = parts_->storage.table.size(),
          .hosts_aside = totals.hosts_suspended,
          .hosts_given_up = totals.hosts_abandoned,
          .over_host_budget = totals.over_host_budget,
          .over_domain_hosts = totals.over_domain_hosts,
          .over_patterns = totals.over_patterns,
          .queued_retired = totals.queued_retired,
          .queued_over = totals.queued_over,
          .late = {.median = parts_->lateness.quantile(0.5), .p99 = parts_->lateness.quantile(0.99)}};
}

}  // namespace caddis::frontier
