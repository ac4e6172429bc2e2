// Crash recovery of a launch: all streams are cut to their committed lengths, and files that no commit knows are moved
// away; in the archive, which other crawls use as well, only those that this launch had begun. Rows that a repair has
// left are read when the frontier is open, and erased in the group that holds what they ask for.

#include "caddis/crawl/crash_recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "caddis/base/counted.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/url_intake.h"
#include "caddis/repair/repair.h"
#include "caddis/warcstore/recovery.h"

namespace caddis::crawl {

Result<store::StreamPlan> CrashRecovery::inspect() const {
  return warcstore::inspect_streams(state_.files, *state_.kv, *state_.streams, state_.launch);
}

Result<void> CrashRecovery::apply(const store::StreamPlan& plan, bool is_rolled_back) {
  TRY_VOID(state_.streams->apply(plan));
  TRY_VOID(read_range());
  TRY_VOID(warcstore::settle_begun_files(*state_.kv));
  TRY(const auto went_back, state_.kv->get(kMeta, kWentBackRow));
  const std::string_view why = is_rolled_back ? "newer than the checkpoint"
                               : went_back    ? "taken back"
                                              : "not committed";
  for (const auto& cut : plan.cuts)
    notices_.push_back(fmt::format("{}: {} {} moved to {}; what was in there is fetched again", cut.path,
                                   counted(cut.found - cut.committed, "byte that was", "bytes that were"), why,
                                   cut.saved_as));
  for (const auto& orphan : plan.orphans) notices_.push_back(fmt::format("an unknown file was moved to {}", orphan.to));
  return {};
}

Result<void> CrashRecovery::read_range() {
  TRY(const auto rows, rows_of(*state_.kv, kGroupRow));
  if (rows.empty()) return {};
  TRY(groups_.first, repair::number_of_group_row(std::string(kGroupRow) + rows.begin()->first));
  TRY(groups_.next, repair::number_of_group_row(std::string(kGroupRow) + rows.rbegin()->first));
  ++groups_.next;
  return {};
}

// Losses are told until a group holds what is to be visited again.
Result<void> CrashRecovery::queue_lost(CommitPath& path, UrlIntake& intake) {
  TRY(auto losses, repair::losses_to_tell(*state_.kv));
  std::ranges::move(losses, std::back_inserter(notices_));
  TRY(const auto went_back, state_.kv->get(kMeta, kWentBackRow));
  if (went_back) {
    TRY(const uint64_t first, repair::number_of_group_row(*went_back));
    TRY_VOID(queue_groups(first, path, intake));
    path.outputs.meta().erase(kWentBackRow);
  }
  TRY(const auto again, rows_of(*state_.kv, kAgainRow));
  for (const auto& [url, unused] : again) {
    repair::UndoEntry visit;
    visit.candidate.url = url;
    visit.candidate.hops = "I";
    if (url.starts_with("dns:")) {
      visit.kind = frontier::LeaseKind::dns;
      visit.host = url.substr(url.find(':') + 1);
    }
    TRY_VOID(queue_again(visit, path, intake));
    path.outputs.meta().erase(std::string(kAgainRow) + url);
  }
  return {};
}

Result<void> CrashRecovery::queue_groups(uint64_t first, CommitPath& path, UrlIntake& intake) {
  TRY(const auto groups, repair::read_groups(*state_.kv, first));
  for (const auto& [number, group] : groups) {
    TRY_VOID(path.ledger.remember_rows(group.seen));
    path.outputs.meta().erase(repair::group_row(number));
  }
  for (const auto& [number, group] : groups)
    for (const repair::UndoEntry& visit : group.visits) TRY_VOID(queue_again(visit, path, intake));
  return {};
}

Result<void> CrashRecovery::queue_again(const repair::UndoEntry& visit, CommitPath& path, UrlIntake& intake) {
  if (visit.kind != frontier::LeaseKind::url)
    return state_.frontier->admin().forget(visit.kind, visit.host, visit.origin);
  const auto url = url::Url::parse(visit.candidate.url);
  if (!url) return {};  // then it was not visited before, either
  TRY(frontier::ScheduledUrl scheduled, intake.form_of(*url, visit.candidate.attributes));
  const std::string own_seed = std::move(scheduled.candidate.seed);
  scheduled.candidate = visit.candidate;
  scheduled.candidate.force = scheduled.candidate.again = true;
  if (scheduled.candidate.seed.empty()) scheduled.candidate.seed = own_seed;
  std::vector<frontier::ScheduledUrl> one;
  one.push_back(std::move(scheduled));
  path.ledger.schedule(std::move(one));
  return {};
}

}  // namespace caddis::crawl
