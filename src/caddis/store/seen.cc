#include "caddis/store/seen.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "caddis/base/check.h"
#include "caddis/base/hash.h"
#include "caddis/store/seen_bytes.h"

namespace caddis::store {

namespace {

constexpr size_t kPrefetched = 32;  // memory accesses under way at once
constexpr double kFilterBits = 10;  // a value, where there is room
constexpr double kFewestFilterBits = 2;
constexpr size_t kRunsBeforeMerge = 4;

std::unexpected<Error> advise(Error error) {
  if (error.code == ErrorCode::corrupt) error.message += "; stop the crawl: 'caddis repair' says then what can be done";
  return std::unexpected(std::move(error));
}

}  // namespace

uint64_t fingerprint(std::string_view crawl_key, uint16_t partition, FingerprintKey key) {
  CADDIS_DCHECK(partition < 1 << kPartitionBits);
  return uint64_t{partition} << (64 - kPartitionBits) | siphash(crawl_key, key.k0, key.k1) >> kPartitionBits;
}

void append_fingerprint(std::string& log, uint64_t fingerprint) { put_number(log, fingerprint); }

void SeenSet::spill_to(io::Files& files, std::string folder, uint64_t budget, uint64_t commits) {
  files_ = &files;
  folder_ = std::move(folder);
  budget_ = budget;
  commits_kept_ = commits;
  share_budget();
}

// --- asking and adding

Result<void> SeenSet::insert_batch(std::span<const uint64_t> fingerprints, std::span<bool> is_new) {
  CADDIS_CHECK(is_new.size() >= fingerprints.size());
  freeze_if_full();
  const bool all_in_table = !frozen_ && runs_.empty();
  if (!all_in_table) {
    if (auto looked = look_up(fingerprints, is_new); !looked) return advise(std::move(looked).error());
  }
  for (size_t from = 0; from < fingerprints.size(); from += kPrefetched) {
    const size_t to = std::min(fingerprints.size(), from + kPrefetched);
    if (all_in_table)
      for (size_t i = from; i < to; ++i) table_->prefetch(spread(fingerprints[i]));
    for (size_t i = from; i < to; ++i)
      if (all_in_table || is_new[i]) is_new[i] = insert(fingerprints[i]);
  }
  make_room();
  return {};
}

Result<bool> SeenSet::contains(uint64_t fingerprint) {
  bool is_new = false;
  TRY_VOID(look_up(std::span(&fingerprint, 1), std::span(&is_new, 1)));
  return !is_new;
}

bool SeenSet::insert(uint64_t fingerprint) {
  const bool is_new = fingerprint == 0 ? !has_zero_ : table_->insert(spread(fingerprint));
  has_zero_ |= fingerprint == 0;
  size_ += is_new;
  rows_ += is_new;
  return is_new;
}

void SeenSet::replay_some(std::span<const uint64_t> fingerprints) {
  for (const uint64_t fingerprint : fingerprints) table_->prefetch(spread(fingerprint));
  // A row counts, also where it says nothing new.
  for (const uint64_t fingerprint : fingerprints) rows_ += !insert(fingerprint);
}

// Says of each whether it was there before the batch.
Result<void> SeenSet::look_up(std::span<const uint64_t> fingerprints, std::span<bool> is_new) {
  questions_.clear();
  for (size_t from = 0; from < fingerprints.size(); from += kPrefetched)
    look_in_memory(fingerprints.subspan(from, std::min(kPrefetched, fingerprints.size() - from)), is_new, from);
  return questions_.empty() ? Result<void>() : ask_runs(is_new);
}

// Leaves a question for each run in which a value may be that is not in memory.
void SeenSet::look_in_memory(std::span<const uint64_t> fingerprints, std::span<bool> is_new, size_t first) {
  for (const uint64_t fingerprint : fingerprints) {
    table_->prefetch(spread(fingerprint));
    if (frozen_) frozen_->prefetch(spread(fingerprint));
  }
  for (size_t i = 0; i < fingerprints.size(); ++i) {
    const uint64_t value = spread(fingerprints[i]);
    const bool known = value == 0 ? has_zero_ : table_->contains(value) || (frozen_ && frozen_->contains(value));
    is_new[first + i] = !known;
    if (known || value == 0) continue;
    for (const Run& run : runs_)
      if (run.filter) run.filter->prefetch(value);
  }
  for (size_t i = 0; i < fingerprints.size(); ++i) {
    const uint64_t value = spread(fingerprints[i]);
    if (!is_new[first + i] || value == 0) continue;
    for (uint32_t number = 0; number < runs_.size(); ++number) {
      const Run& run = runs_[number];
      if (run.file.get() == mirror_ && frozen_->covers(value)) continue;
      if (run.filter && !run.filter->may_contain(value)) continue;
      questions_.push_back({number, static_cast<uint32_t>(first + i), run.file->block_of(value), value});
    }
  }
}

// First what need not be waited for; meanwhile the disk reads the rest, all at once.
Result<void> SeenSet::ask_runs(std::span<bool> is_new) {
  std::ranges::sort(questions_, {}, [](const Question& q) { return std::tuple(q.run, q.block); });
  waiting_.clear();
  const Question* before = nullptr;  // whose block is in `block_`
  for (const Question& question : questions_) {
    if (!is_new[question.index]) continue;
    const SeenRun& run = *runs_[question.run].file;
    if (before == nullptr || before->run != question.run || before->block != question.block) {
      before = nullptr;
      TRY(const bool is_there, run.read_block_at_once(question.block, block_));
      if (!is_there) {
        waiting_.push_back(question);
        continue;
      }
      before = &question;
    }
    if (run.block_contains(question.block, block_, question.value)) is_new[question.index] = false;
  }
  for (const Question& question : waiting_) {
    if (!is_new[question.index]) continue;
    const SeenRun& run = *runs_[question.run].file;
    TRY_VOID(run.read_block(question.block, block_));
    if (run.block_contains(question.block, block_, question.value)) is_new[question.index] = false;
  }
  return {};
}

// --- memory

uint64_t SeenSet::runs_memory() const {
  uint64_t bytes = 0;
  for (const Run& run : runs_) bytes += run.file->memory_bytes() + (run.filter ? run.filter->memory_bytes() : 0);
  return bytes;
}

uint64_t SeenSet::memory_bytes() const {
  return table_->memory_bytes() + (frozen_ ? frozen_->memory_bytes() : 0) + runs_memory();
}

uint64_t SeenSet::disk_bytes() const {
  uint64_t bytes = 0;
  for (const Run& run : runs_) bytes += run.file->disk_bytes();
  return bytes;
}

// A table nine tenths full takes what runs leave of the budget; a sixteenth is for the beginning of the next one.
void SeenSet::share_budget() {
  const uint64_t most = budget_ - budget_ / 16;
  const uint64_t room = std::max(most - std::min(most, runs_memory()), budget_ / 4);
  most_in_table_ = std::clamp<uint64_t>(room / sizeof(uint64_t) * 9 / 10, 1, kMostValuesInRun);
  table_->expect_at_most(most_in_table_);
}

void SeenSet::freeze_if_full() {
  if (table_->size() < most_in_table_) return;
  if (frozen_ && !frozen_is_written_) return;
  freeze();
}

void SeenSet::freeze() {
  frozen_ = std::move(table_);
  frozen_rows_ = rows_;
  frozen_has_zero_ = has_zero_;
  frozen_is_written_ = false;
  mirror_ = nullptr;
  table_ = std::make_unique<SeenTable>();
  share_budget();
}

// What is on disk already makes room for what is not.
void SeenSet::make_room() {
  if (!frozen_ || !frozen_is_written_) return;
  while (!frozen_->is_gone() && memory_bytes() > budget_ - budget_ / 16) frozen_->drop_next_shard();
  if (!frozen_->is_gone()) return;
  frozen_.reset();
  mirror_ = nullptr;
}

bool SeenSet::is_behind() const {
  return frozen_ && !frozen_is_written_ && memory_bytes() > budget_ + budget_ / 8 && table_->size() > 0;
}

// --- background tasks

SeenTask* SeenSet::next_task() {
  if (files_ == nullptr) return nullptr;
  if (!spill_) spill_ = spill_job();
  if (!spill_ && !chore_) chore_ = chore();
  current_ = spill_ ? &*spill_ : chore_ ? &*chore_ : nullptr;
  return current_ ? current_->task.get() : nullptr;
}

void SeenSet::settle(const Result<bool>& stepped) {
  CADDIS_CHECK(current_ != nullptr);
  if (stepped && !*stepped) return;
  std::optional<Job>& done = spill_ && current_ == &*spill_ ? spill_ : chore_;
  current_ = nullptr;
  const Job job = *std::exchange(done, std::nullopt);
  if (stepped)
    job.adopt();
  else if (!job.file.empty())
    removable_.push_back(job.file);
  share_budget();
  make_room();
}

std::optional<SeenSet::Job> SeenSet::spill_job() {
  if (!frozen_ || frozen_is_written_) return std::nullopt;
  const uint64_t number = next_number_++;
  auto task = std::make_unique<SeenRunTask>(*files_, folder_, number, frozen_->size(), table_source(frozen_));
  const auto adopt = [this, task = task.get()] {
    mirror_ = task->run().get();
    runs_.push_back({.file = task->run()});
    frozen_is_written_ = true;
    state_.rows = frozen_rows_;
    state_.has_zero = frozen_has_zero_;
    state_changed_ = true;
  };
  return Job{std::move(task), adopt, seen_run_path(folder_, number)};
}

std::optional<SeenSet::Job> SeenSet::chore() {
  if (!removable_.empty()) {
    auto task = std::make_unique<SeenRemoveTask>(*files_, std::exchange(removable_, {}));
    return Job{std::move(task), [] {}, {}};
  }
  if (auto merge = merge_job()) return merge;
  for (const Run& run : runs_) {
    if (run.filter_made) continue;
    std::shared_ptr<SeenFilter> filter = new_filter(*run.file);
    auto task = std::make_unique<SeenFilterTask>(run.file, filter);
    const auto adopt = [this, filter, file = run.file] {
      for (Run& made : runs_)
        if (made.file == file) std::tie(made.filter, made.filter_made) = std::pair(filter, true);
    };
    return Job{std::move(task), adopt, {}};
  }
  return std::nullopt;
}

// All filters together take at most half of the budget; null where too little of that is left.
std::shared_ptr<SeenFilter> SeenSet::new_filter(const SeenRun& run) const {
  uint64_t others = 0;
  for (const Run& other : runs_) others += other.filter ? other.filter->memory_bytes() : 0;
  const uint64_t room = budget_ / 2 - std::min(budget_ / 2, others);
  const double bits = std::min(kFilterBits, 8 * static_cast<double>(room) / static_cast<double>(run.values()));
  return bits < kFewestFilterBits ? nullptr : std::make_shared<SeenFilter>(run.values(), bits);
}

// A run is merged with all later ones once they hold as much as it does: so runs are few, and each value is rewritten a
// few times only.
std::optional<SeenSet::Job> SeenSet::merge_job() {
  if (runs_.size() < kRunsBeforeMerge) return std::nullopt;
  const auto values_from = [this](size_t first) {
    return std::accumulate(runs_.begin() + static_cast<std::ptrdiff_t>(first), runs_.end(), uint64_t{0},
                           [](uint64_t sum, const Run& run) { return sum + run.file->values(); });
  };
  size_t first = 0;
  while (first + 1 < runs_.size() &&
         (values_from(first + 1) < runs_[first].file->values() || values_from(first) > kMostValuesInRun))
    ++first;
  if (first + 1 >= runs_.size()) return std::nullopt;
  std::vector<std::shared_ptr<const SeenRun>> inputs;
  for (size_t i = first; i < runs_.size(); ++i) inputs.push_back(runs_[i].file);
  const uint64_t number = next_number_++;
  auto task = std::make_unique<SeenRunTask>(*files_, folder_, number, values_from(first), merged_source(inputs));
  const auto adopt = [this, first, count = inputs.size(), task = task.get()] {
    adopt_merged(first, count, task->run());
  };
  return Job{std::move(task), adopt, seen_run_path(folder_, number)};
}

// Runs that were spilled meanwhile stand behind those merged.
void SeenSet::adopt_merged(size_t first, size_t count, std::shared_ptr<const SeenRun> merged) {
  const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  for (auto run = begin; run != end; ++run) {
    if (run->file.get() == mirror_) mirror_ = nullptr;
    obsolete_.push_back(seen_run_path(folder_, run->file->number()));
  }
  *begin = {.file = std::move(merged)};
  runs_.erase(begin + 1, end);
  state_changed_ = true;
}

// --- the commit

std::optional<std::string> SeenSet::stage() {
  age_formers();
  if (!state_changed_) return std::nullopt;
  state_changed_ = false;
  state_.runs.clear();
  for (const Run& run : runs_) state_.runs.push_back({run.file->number(), run.file->values()});
  if (has_row_ && named_ != state_ && commits_kept_ > 0) formers_.insert(formers_.begin(), {named_, 0});
  named_ = state_;
  has_row_ = true;
  const auto unnamed = std::ranges::partition(obsolete_, [this](const std::string& path) { return is_named(path); });
  std::ranges::move(unnamed, std::back_inserter(staged_obsolete_));
  obsolete_.erase(unnamed.begin(), unnamed.end());
  staged_held_rows_ = rows_of_all_states();
  std::vector<SeenState> states{state_};
  for (const Former& former : formers_) states.push_back(former.state);
  return encode_seen_states(states);
}

void SeenSet::age_formers() {
  for (Former& former : formers_) ++former.commits;
  const auto dropped = std::erase_if(formers_, [this](const Former& one) { return one.commits > commits_kept_; });
  state_changed_ |= dropped > 0;
}

bool SeenSet::is_named(const std::string& path) const {
  const auto names = [&](const SeenState& state) {
    return std::ranges::any_of(state.runs,
                               [&](const SeenState::Run& run) { return seen_run_path(folder_, run.number) == path; });
  };
  return names(named_) || names(state_) ||
         std::ranges::any_of(formers_, [&](const Former& former) { return names(former.state); });
}

uint64_t SeenSet::rows_of_all_states() const {
  uint64_t rows = named_.rows;
  for (const Former& former : formers_) rows = std::min(rows, former.state.rows);
  return rows;
}

void SeenSet::committed() {
  held_rows_ = staged_held_rows_;
  std::ranges::move(staged_obsolete_, std::back_inserter(removable_));
  staged_obsolete_.clear();
}

uint64_t SeenSet::log_file_bytes() const {
  constexpr uint64_t kSmallest = 64, kLargest = 64 << 20;
  return std::clamp(budget_ / 16, kSmallest, kLargest);
}

}  // namespace caddis::store
