#include "caddis/frontier/counters.h"

#include <array>

namespace caddis::frontier {
namespace {

constexpr auto kCounts = std::to_array<uint64_t Totals::*>(
    {&Totals::queued, &Totals::queued_suspended, &Totals::queued_retired, &Totals::queued_over, &Totals::hosts,
     &Totals::queues, &Totals::hosts_suspended, &Totals::hosts_abandoned, &Totals::deferred, &Totals::next_deferred,
     &Totals::over_host_budget, &Totals::over_domain_hosts, &Totals::over_patterns, &Totals::edits, &Totals::marks});
static_assert(sizeof(Totals) == kCounts.size() * sizeof(uint64_t));

void add_share(Totals& sum, const FailureState& failures) {
  sum.hosts_suspended += failures.suspended ? 1 : 0;
  sum.hosts_abandoned += failures.abandoned != 0 ? 1 : 0;
}

}  // namespace

Totals share_of(const Queue& queue) {
  Totals share;
  share.queued = queue.queued;
  if (queue.is_retired()) share.queued_retired = queue.queued;
  if (queue.over.retires() && queue.over.is_quota()) share.queued_over = queue.queued;
  if (queue.is_suspended()) share.queued_suspended = queue.queued;
  return share;
}

Totals share_of(const Host& host) {
  Totals sum;
  add_share(sum, host.failures);
  for (const auto& queue : host.queues) {
    add_share(sum, queue->failures);
    const Totals share = share_of(*queue);
    for (const auto count : kCounts) sum.*count += share.*count;
  }
  return sum;
}

void Counters::transition(const Totals& before, const Totals& after) {
  for (const auto count : kCounts) totals_.*count += after.*count - before.*count;
}

Result<void> Counters::load(const std::optional<std::string>& row) {
  if (row) {
    TRY(totals_, read_totals(*row));
  }
  written_ = totals_;
  return {};
}

std::optional<std::string> Counters::stage() {
  if (totals_ == written_) return std::nullopt;
  written_ = totals_;
  return write_totals(totals_);
}

}  // namespace caddis::frontier
