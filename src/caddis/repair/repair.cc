// How a repair is planned: the decisions are made one after the other on the rows in memory (store/stream_repair.h), so
// that each sees what is left by those before: missing WARC files, then the place to go back to, then what is still
// short. To apply the plan, the same decisions are made on rows that are read anew, and written.

#include "caddis/repair/repair.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/repair/lost_captures.h"
#include "caddis/repair/store_rows.h"
#include "caddis/store/stream_repair.h"

namespace caddis::repair {
namespace {

constexpr uint64_t kSeenMemory = 64 << 20;  // while the seen-set is mended
constexpr uint64_t kCommitsKept = 64;       // what a disk may still lose

Result<store::StreamRepair> open_streams(const Subject& subject) {
  return store::StreamRepair::open(subject.files, subject.kv, kStreams, subject.orphans, subject.launch.collection);
}

std::string seen_runs(const Subject& subject) { return subject.launch.seen_runs(); }

Result<void> plan_way_back(const Subject& subject, store::StreamRepair& streams, RepairPlan& plan) {
  TRY(const auto groups, read_groups(subject.kv));
  // Groups that were taken back before are no places any more.
  TRY(const auto went_back, subject.kv.get(kMeta, kWentBackRow));
  uint64_t last = UINT64_MAX;
  if (went_back) {
    TRY(last, number_of_group_row(*went_back));
  }
  std::vector<store::StreamEnds> places;
  for (const auto& [number, group] : groups)
    if (number <= last) places.push_back(group.before);
  const auto place = streams.place_to_go(places);
  if (!place) return {};
  RepairPlan::Back back{.group = groups[*place].first, .groups = groups.size() - *place, .place = places[*place]};
  for (size_t i = *place; i < groups.size(); ++i) back.visits += groups[i].second.visits.size();
  streams.go_back(back.place);
  plan.back = std::move(back);
  return {};
}

// Where the last whole row or line of a log ends.
Result<uint64_t> end_of_log(io::Files& files, const store::ShortFile& log) {
  if (log.at.empty()) return 0;
  if (log.stream == kSeenStream) return log.found - log.found % sizeof(uint64_t);
  constexpr uint64_t kLongestLine = 1 << 20;
  const uint64_t from = log.found - std::min(log.found, kLongestLine);
  std::string end(static_cast<size_t>(log.found - from), '\0');
  TRY(const auto file, files.open_read(log.at));
  TRY(const size_t got, file->read_at(from, end.data(), end.size()));
  end.resize(got);
  return from + end.rfind('\n') + 1;
}

// The journal is cut first: what it has lost names nothing.
Result<void> plan_cuts(const Subject& subject, store::StreamRepair& streams, RepairPlan& plan) {
  std::vector<store::ShortFile> archives;
  if (plan.missing == MissingFiles::lost) archives = plan.given_up;
  TRY(const auto shorter, streams.shorter());
  for (const store::ShortFile& file : shorter) {
    if (is_archive_stream(file.stream)) {
      archives.push_back(file);
      continue;
    }
    TRY(const uint64_t length, end_of_log(subject.files, file));
    plan.cuts.push_back({file, length});
    streams.cut(file.path, length);
  }
  TRY(LostCaptures lost, find_lost_captures(subject.files, streams.parts(kCdxStream), archives));
  for (const store::ShortFile& file : shorter) {
    if (!is_archive_stream(file.stream)) continue;
    // Shorter than what every file begins with: nothing of it is whole.
    const uint64_t end = lost.whole[std::string(io::base_name(file.path))];
    plan.cuts.push_back({file, end <= file.found ? end : 0});
  }
  plan.urls = std::move(lost.urls);
  plan.requests = std::move(lost.requests);
  plan.lost_captures = std::move(lost.whole);
  return {};
}

// Returns what was mended, in words. The log counts as the streams will be.
Result<std::string> mend_seen(const Subject& subject, const RepairPlan& plan, const store::StreamRepair& streams,
                              store::Batch& batch) {
  TRY(const auto row, subject.kv.get(kMeta, kSeenRunsRow));
  const store::LogParts parts = streams.parts(kSeenStream);
  store::SeenLog log{.parts = {}, .released = parts.released / sizeof(uint64_t), .is_torn = plan.is_seen_torn()};
  for (const auto& part : parts.parts) log.parts.push_back({part.path, part.length});
  store::SeenSet seen;
  seen.spill_to(subject.files, seen_runs(subject), kSeenMemory, kCommitsKept);
  TRY(std::string notice, seen.load(subject.files, row, log, *plan.seen.needs));
  if (const auto mended = seen.stage()) batch.put(kMeta, kSeenRunsRow, *mended);
  return notice;
}

// Words for the report of the crawl are kept under the number of the next group, which queues what was lost.
Result<std::string> loss_prefix(store::Kv& kv) {
  TRY(const auto groups, read_groups(kv));
  return fmt::format("{}{:016x}-", kLossRow, groups.empty() ? 1 : groups.back().first + 1);
}

Result<void> stage_losses(store::Kv& kv, const std::vector<std::string>& losses, store::Batch& batch) {
  TRY(const std::string prefix, loss_prefix(kv));
  TRY(const auto before, losses_to_tell(kv));
  size_t count = before.size();
  for (const std::string& loss : losses) batch.put(kMeta, fmt::format("{}{:04}", prefix, count++), loss);
  return {};
}

}  // namespace

Result<std::vector<std::string>> losses_to_tell(store::Kv& kv) {
  TRY(const std::string prefix, loss_prefix(kv));
  std::vector<std::string> losses;
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(prefix); rows->valid() && rows->key().starts_with(prefix); rows->next())
    losses.emplace_back(rows->value());
  TRY_VOID(rows->status());
  return losses;
}

Result<std::vector<NumberedGroup>> read_groups(store::Kv& kv, uint64_t first) {
  std::vector<NumberedGroup> groups;
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(group_row(first)); rows->valid() && rows->key().starts_with(kGroupRow); rows->next()) {
    TRY(const uint64_t number, number_of_group_row(rows->key()));
    TRY(GroupUndo group, decode_group_undo(rows->value()));
    groups.emplace_back(number, std::move(group));
  }
  TRY_VOID(rows->status());
  return groups;
}

Result<RepairPlan> inspect(const Subject& subject, MissingFiles missing) {
  RepairPlan plan{.missing = missing};
  TRY(auto streams, open_streams(subject));
  TRY(plan.damaged, streams.shorter());
  TRY(const auto row, subject.kv.get(kMeta, kSeenRunsRow));
  const uint64_t released = streams.parts(kSeenStream).released / sizeof(uint64_t);
  TRY(plan.seen, store::inspect_seen_runs(subject.files, seen_runs(subject), row, released));
  if (plan.damaged.empty() || !plan.unanswered().empty()) return plan;
  for (const store::ShortFile& file : plan.damaged) {
    if (!file.is_missing || !is_archive_stream(file.stream) || !file.is_complete) continue;
    plan.given_up.push_back(file);
    streams.cut(file.path, 0);
  }
  TRY_VOID(plan_way_back(subject, streams, plan));
  TRY_VOID(plan_cuts(subject, streams, plan));
  return plan;
}

// In batches: there may be many millions.
Result<void> forget_digests(store::Kv& kv) {
  constexpr size_t kAtOnce = 10'000;
  store::Batch batch;
  const auto rows = kv.cursor(kDigests);
  for (rows->seek(""); rows->valid(); rows->next()) {
    batch.erase(kDigests, rows->key());
    if (batch.size() == kAtOnce) TRY_VOID(kv.write(std::exchange(batch, {}), store::Durability::lazy));
  }
  TRY_VOID(rows->status());
  batch.put(kMeta, kDigestsForgottenRow, "");
  return kv.write(batch, store::Durability::synced);
}

namespace {

// Other crawls go by it, if the launch had ended before.
Result<void> remove_digest_index(const Subject& subject) {
  const std::string path = subject.launch.digests();
  if (!subject.files.exists(path)) return {};
  TRY_VOID(subject.files.remove(path));
  return subject.files.sync_dir(io::parent_path(path));
}

}  // namespace

Result<std::vector<std::string>> apply(const Subject& subject, const RepairPlan& plan) {
  if (plan.remedy() == Remedy::none) return std::vector<std::string>();
  if (plan.remedy() == Remedy::unknown) return std::unexpected(refusal(plan, subject.launch.collection));
  TRY(auto streams, open_streams(subject));
  for (const store::ShortFile& file : plan.given_up) streams.cut(file.path, 0);
  if (plan.back) streams.go_back(plan.back->place);
  for (const auto& [file, length] : plan.cuts) streams.cut(file.path, length);

  TRY_VOID(forget_digests(subject.kv));
  TRY_VOID(remove_digest_index(subject));
  RepairPlan told = plan;
  told.seen = {};
  std::vector<std::string> done = told.sentences(), losses = plan.losses();
  store::Batch batch;
  if (!plan.seen.what.empty() || plan.is_seen_torn()) {
    TRY(const std::string mended, mend_seen(subject, plan, streams, batch));
    if (!mended.empty())
      for (auto* words : {&done, &losses}) words->push_back(mended);
  }
  TRY_VOID(streams.move_aside());
  streams.stage(batch);
  if (plan.back) batch.put(kMeta, kWentBackRow, group_row(plan.back->group));
  for (const std::string& url : plan.urls) batch.put(kMeta, std::string(kAgainRow) + url, "");
  for (const auto& [name, end] : plan.lost_captures)
    batch.put(kMeta, std::string(kLostCapturesRow) + name, std::to_string(end));
  TRY_VOID(stage_losses(subject.kv, losses, batch));
  TRY_VOID(subject.kv.write(batch, store::Durability::synced));
  return done;
}

}  // namespace caddis::repair
