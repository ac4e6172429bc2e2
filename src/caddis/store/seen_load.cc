// How the seen-set begins: with the runs of its row, and what the fingerprint log has behind them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/store/seen.h"
#include "caddis/store/seen_bytes.h"
#include "caddis/store/seen_salvage.h"

namespace caddis::store {

namespace {

constexpr size_t kRowBytes = 8;
constexpr uint64_t kRowsPerRead = 1024 * 1024;
constexpr size_t kReplayedAtOnce = 32;  // memory accesses under way at once

// A table is larger than all caches, and rows come in no order: those of one of its regions are inserted together.
std::vector<uint64_t> by_region(std::span<const uint64_t> fingerprints) {
  constexpr int kRegionBits = 10;
  const auto region = [](uint64_t fingerprint) { return spread(fingerprint) >> (64 - kRegionBits); };
  std::array<size_t, (1 << kRegionBits) + 1> starts{};
  for (const uint64_t fingerprint : fingerprints) ++starts[region(fingerprint) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<uint64_t> ordered(fingerprints.size());
  for (const uint64_t fingerprint : fingerprints) ordered[starts[region(fingerprint)]++] = fingerprint;
  return ordered;
}

Result<void> check_rows(const std::string& folder, const SeenState& state, uint64_t released) {
  if (state.rows >= released) return {};
  return fail(ErrorCode::corrupt,
              fmt::format("{} lacks {} rows that the log has no more", folder, released - state.rows));
}

Result<void> check_run(io::Files& files, const std::string& folder, const SeenState::Run& named) {
  TRY(auto run, SeenRun::open(files, folder, named.number, named.values));
  SeenRunScan scan(std::move(run));
  while (true) {
    TRY(const auto values, scan.next());
    if (values.empty()) return {};
  }
}

// Returns true if every run of the state says which of its bytes are values.
bool can_be_salvaged(io::Files& files, const std::string& folder, const SeenState& state, uint64_t released) {
  return check_rows(folder, state, released) && std::ranges::all_of(state.runs, [&](const SeenState::Run& run) {
           return SeenRun::open(files, folder, run.number, run.values).has_value();
         });
}

// A log that was let go in part does not have what the runs have; nor the log of a crawl that began with the runs of
// another, nor one that a disk has shortened: then the runs hold more values than the rows that they are said to hold.
bool log_has_all(const std::vector<SeenState>& states, uint64_t released) {
  return released == 0 && std::ranges::all_of(states, [](const SeenState& state) {
           uint64_t values = state.has_zero ? 1 : 0;
           for (const SeenState::Run& run : state.runs) values += run.values;
           return values <= state.rows;
         });
}

Result<bool> runs_hold(io::Files& files, const std::string& folder, const SeenState& state, uint64_t fingerprint) {
  const uint64_t value = spread(fingerprint);
  if (value == 0 && state.has_zero) return true;
  bool is_there = false;
  std::string block;
  for (const SeenState::Run& named : state.runs) {
    TRY(const auto run, SeenRun::open(files, folder, named.number, named.values));
    TRY_VOID(run->read_block(run->block_of(value), block));
    is_there |= run->block_contains(run->block_of(value), block, value);
  }
  return is_there;
}

// What stands behind the committed length is not asked for, nor half a row, left by a death.
Result<bool> log_holds(io::Files& files, const LogParts::Part& part, uint64_t fingerprint) {
  if (part.length == 0) return false;  // then it need not be there
  std::vector<uint64_t> rows(128 * 1024);
  TRY(const auto log, files.open_read(part.path));
  for (uint64_t at = 0; at < part.length;) {
    const uint64_t wanted = std::min(rows.size() * kRowBytes, part.length - at);
    TRY(const size_t got, log->read_at(at, reinterpret_cast<char*>(rows.data()), static_cast<size_t>(wanted)));
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(got / kRowBytes);
    if (std::find(rows.begin(), end, fingerprint) != end) return true;
    if (got < wanted) break;
    at += got;
  }
  return false;
}

}  // namespace

Result<bool> seen_on_disk(io::Files& files, const SeenOnDisk& seen, uint64_t fingerprint) {
  std::vector<SeenState> states;
  if (seen.row) {
    TRY(states, decode_seen_states(*seen.row));
  }
  const uint64_t released = seen.log.released / kRowBytes;
  Result<bool> found = false;
  if (released > 0) found = fail(ErrorCode::corrupt, seen.folder + " has runs that no row names");
  for (const SeenState& state : states) {
    if (state.rows < released) break;
    found = runs_hold(files, seen.folder, state, fingerprint);
    if (found || found.error().code != ErrorCode::corrupt) break;
  }
  // What is in damaged runs is in the log, where all of it is there.
  if (found ? *found : released > 0 || found.error().code != ErrorCode::corrupt) return found;
  for (const LogParts::Part& part : seen.log.parts) {
    TRY(const bool is_there, log_holds(files, part, fingerprint));
    if (is_there) return true;
  }
  return false;
}

Result<SeenDamage> inspect_seen_runs(io::Files& files, const std::string& folder, const std::optional<std::string>& row,
                                     uint64_t released) {
  if (!row && released == 0) return SeenDamage{.what = {}, .needs = SeenMending::none};
  SeenDamage seen;
  std::vector<SeenState> states;
  if (auto read = row ? decode_seen_states(*row) : fail(ErrorCode::corrupt, folder + " has runs that no row names"))
    states = *std::move(read);
  else
    seen.what = read.error().message;
  for (const SeenState& state : states) {
    auto checked = check_rows(folder, state, released);
    for (size_t i = 0; checked && i < state.runs.size(); ++i) checked = check_run(files, folder, state.runs[i]);
    if (checked) {
      seen.needs = seen.what.empty() ? SeenMending::none : SeenMending::replaced;
      return seen;
    }
    if (checked.error().code != ErrorCode::corrupt) return std::unexpected(std::move(checked).error());
    if (seen.what.empty()) seen.what = checked.error().message;
  }
  if (log_has_all(states, released))
    seen.needs = SeenMending::replaced;
  else if (std::ranges::any_of(states, [&](const auto& one) { return can_be_salvaged(files, folder, one, released); }))
    seen.needs = SeenMending::salvaged;
  return seen;
}

struct SeenSet::Log {
  struct Part {
    std::unique_ptr<io::File> file;
    uint64_t rows = 0;
  };
  std::vector<Part> parts;
  uint64_t released = 0;
  uint64_t end = 0;  // the number of the row behind the last one
  bool is_torn = false;

  static Result<Log> open(io::Files& files, const SeenLog& what) {
    Log log;
    log.released = log.end = what.released;
    log.is_torn = what.is_torn;
    for (const auto& [path, committed] : what.parts) {
      if (committed == 0u) continue;  // then it need not be there
      TRY(auto file, files.open_read(path));
      TRY(uint64_t bytes, file->size());
      bytes = std::min(bytes, committed.value_or(bytes));
      if (bytes % kRowBytes != 0) {
        return fail(ErrorCode::corrupt,
                    fmt::format("{} has {} bytes, which is no whole number of rows of {}: it was not "
                                "written by this crawl, or not recovered; go back to the last "
                                "checkpoint",
                                path, bytes, kRowBytes));
      }
      log.end += bytes / kRowBytes;
      log.parts.push_back({std::move(file), bytes / kRowBytes});
    }
    return log;
  }
};

Result<std::string> SeenSet::load(io::Files& files, const std::optional<std::string>& row, const SeenLog& what,
                                  SeenMending may) {
  TRY(const Log log, Log::open(files, what));
  Taken taken;
  if (files_ != nullptr) {
    TRY(taken, take_states(row, log.released, may));
    TRY_VOID(forget_other_files());
    share_budget();
  } else if (log.released > 0) {
    return fail(ErrorCode::config, "the beginning of the fingerprint log is in runs only, which are not looked at");
  }
  has_zero_ = state_.has_zero;
  rows_ = state_.rows;
  size_ = has_zero_;
  for (const Run& run : runs_) size_ += run.file->values();
  // What is left of the log may have rows that salvaged runs have lost.
  const bool ask_runs = log.is_torn || taken.is_salvaged;
  TRY_VOID(ask_runs && !runs_.empty() ? load_torn(log) : load_all(log));
  return taken.notice;
}

// The first of the row's states whose runs are whole, if the log has what is behind them; what is left of one if the
// log has not what they lack.
Result<SeenSet::Taken> SeenSet::take_states(const std::optional<std::string>& row, uint64_t released, SeenMending may) {
  std::vector<SeenState> states;
  Error damage;
  if (row) {
    if (auto read = decode_seen_states(*row))
      states = *std::move(read);
    else
      damage = std::move(read).error();
  }
  for (const SeenState& state : states)
    for (const SeenState::Run& run : state.runs) next_number_ = std::max(next_number_, run.number + 1);
  const size_t asked = may == SeenMending::none ? std::min<size_t>(states.size(), 1) : states.size();
  TRY(std::optional<size_t> found, take_whole(std::span(states).first(asked), released, damage));
  const bool is_damaged = !damage.message.empty();
  if (is_damaged && may == SeenMending::none) return std::unexpected(std::move(damage));
  Taken taken;
  if (found && is_damaged) {
    taken.notice = damage.message + "; the seen-set was made anew from its log and the runs before";
  } else if (!found && !log_has_all(states, released)) {
    if (may == SeenMending::salvaged) {
      TRY(taken.notice, salvage(states, released, found));
    }
    if (!found) return refuse(damage);
    taken.is_salvaged = true;
  } else if (!found && is_damaged) {
    taken.notice = damage.message + "; the seen-set was made anew from its log";
  }
  name_states(states, found);
  state_changed_ = !taken.notice.empty();
  return taken;
}

std::unexpected<Error> SeenSet::refuse(const Error& damage) const {
  return fail(ErrorCode::corrupt, damage.message.empty() ? folder_ + " has runs that no row names" : damage.message);
}

// What the row on disk has from now on: the state that was found in it, and those before.
void SeenSet::name_states(const std::vector<SeenState>& states, std::optional<size_t> found) {
  has_row_ = found.has_value();
  for (size_t i = found.value_or(states.size()); i < states.size(); ++i) {
    if (i == found)
      named_ = states[i];
    else
      formers_.push_back({states[i], 0});
    for (const SeenState::Run& run : states[i].runs)
      if (std::ranges::find(state_.runs, run) == state_.runs.end())
        obsolete_.push_back(seen_run_path(folder_, run.number));
  }
  std::ranges::sort(obsolete_);
  obsolete_.erase(std::ranges::unique(obsolete_).begin(), obsolete_.end());
  held_rows_ = staged_held_rows_ = has_row_ ? rows_of_all_states() : 0;
}

// The number of the first state that could be taken. `damage`: why those before could not.
Result<std::optional<size_t>> SeenSet::take_whole(std::span<const SeenState> states, uint64_t released, Error& damage) {
  for (size_t i = 0; i < states.size(); ++i) {
    auto taken = check_rows(folder_, states[i], released);
    if (taken) taken = take_runs(states[i]);
    if (taken) return i;
    if (taken.error().code != ErrorCode::corrupt) return std::unexpected(std::move(taken).error());
    if (damage.message.empty()) damage = std::move(taken).error();
  }
  runs_.clear();
  return std::nullopt;
}

// The number of the first state of whose runs something is left, and what there is to tell about it.
Result<std::string> SeenSet::salvage(const std::vector<SeenState>& states, uint64_t released,
                                     std::optional<size_t>& found) {
  for (size_t i = 0; i < states.size(); ++i) {
    if (!check_rows(folder_, states[i], released)) continue;
    auto notice = salvage_runs(states[i]);
    if (notice) found = i;
    if (notice || notice.error().code != ErrorCode::corrupt) return notice;
  }
  return std::string();
}

Result<void> SeenSet::take_runs(const SeenState& state) {
  runs_.clear();
  for (const SeenState::Run& named : state.runs) {
    TRY(auto run, open_run(named));
    runs_.push_back(std::move(run));
  }
  state_ = state;
  return {};
}

// Every byte is read: a damaged run is found now, and not in the middle of a crawl.
Result<SeenSet::Run> SeenSet::open_run(const SeenState::Run& named) const {
  Run run;
  TRY(run.file, SeenRun::open(*files_, folder_, named.number, named.values));
  run.filter = new_filter(*run.file);
  run.filter_made = true;
  SeenFilterTask check(run.file, run.filter);
  bool done = false;
  while (!done) {
    TRY(done, check.step());
  }
  return run;
}

Result<std::string> SeenSet::salvage_runs(const SeenState& state) {
  std::string notice;
  runs_.clear();
  SeenState salvaged = state;
  for (SeenState::Run& named : salvaged.runs) {
    auto run = open_run(named);
    if (!run && run.error().code == ErrorCode::corrupt) {
      TRY(const SalvagedRun rest, salvage_run(*files_, folder_, named, next_number_++));
      if (!notice.empty()) notice += "; ";
      notice += fmt::format("{}; what can be read of {} with {} is kept, and so many at most may be fetched again",
                            run.error().message, counted(rest.damaged_blocks, "damaged block"),
                            counted(rest.damaged_values, "known URL"));
      named = rest.run;
      run = open_run(named);
    }
    if (!run) return std::unexpected(std::move(run).error());
    runs_.push_back(*std::move(run));
  }
  state_ = std::move(salvaged);
  return notice;
}

// Runs that no commit names: begun, or merged into others.
Result<void> SeenSet::forget_other_files() {
  if (!files_->is_directory(folder_)) return {};
  TRY(const auto entries, files_->list(folder_));
  for (const io::DirectoryEntry& entry : entries) {
    const std::string path = io::join_path(folder_, entry.name);
    if (is_named(path)) continue;
    const auto number = parse_int(std::string_view(entry.name).substr(0, entry.name.find('.')));
    if (number && *number > 0) next_number_ = std::max(next_number_, static_cast<uint64_t>(*number) + 1);
    TRY_VOID(files_->remove(path));
  }
  return {};
}

Result<void> SeenSet::load_all(const Log& log) {
  // A disk that lied took rows away that are in runs. They stay known, as they were: only their places are free again.
  if (state_.rows > log.end) {
    rows_ = state_.rows = log.end;
    for (Former& former : formers_) former.state.rows = std::min(former.state.rows, log.end);
    named_ = state_;
    state_changed_ = true;
    held_rows_ = staged_held_rows_ = rows_of_all_states();
  }
  table_->reserve(log.end - rows_);
  for (uint64_t skipped = rows_ - log.released; const Log::Part& part : log.parts) {
    TRY_VOID(load_part(*part.file, part.rows, std::min(skipped, part.rows), false));
    skipped -= std::min(skipped, part.rows);
  }
  return {};
}

// Which rows are in the runs is not known: all are asked for, and what the runs lack becomes one, so that after the
// next commit it is known again.
Result<void> SeenSet::load_torn(const Log& log) {
  for (const Log::Part& part : log.parts) TRY_VOID(load_part(*part.file, part.rows, 0, true));
  rows_ = log.end;
  if (frozen_ && !frozen_is_written_) TRY_VOID(spill_now());
  if (table_->size() > 0) {
    freeze();
    TRY_VOID(spill_now());
  }
  state_.rows = rows_;
  state_.has_zero = has_zero_;
  state_changed_ = true;
  // The rows of states on disk are counted in a log that is no more. Otherwise what was salvaged from stays for a
  // while: this disk is known to lose things.
  if (log.is_torn) {
    has_row_ = false;
    formers_.clear();
    held_rows_ = staged_held_rows_ = 0;
  }
  make_room();
  return {};
}

// A table is full at the end of what is read: its run holds a beginning of the log.
Result<void> SeenSet::load_part(const io::File& file, uint64_t rows, uint64_t skipped, bool may_be_in_runs) {
  std::vector<uint64_t> read;
  while (skipped < rows) {
    freeze_if_full();
    if (frozen_ && !frozen_is_written_) TRY_VOID(spill_now());
    const uint64_t room = most_in_table_ - std::min(most_in_table_ - 1, table_->size());
    read.resize(static_cast<size_t>(std::min({kRowsPerRead, rows - skipped, room})));
    const size_t bytes = read.size() * kRowBytes;
    TRY(const size_t got, file.read_at(skipped * kRowBytes, reinterpret_cast<char*>(read.data()), bytes));
    if (got != bytes) return fail(ErrorCode::corrupt, "the fingerprint log became shorter while it was read");
    TRY_VOID(replay(read, may_be_in_runs));
    make_room();
    skipped += read.size();
  }
  return {};
}

// What the log has behind the runs is in none of them: nothing has to be asked.
Result<void> SeenSet::replay(std::span<const uint64_t> fingerprints, bool may_be_in_runs) {
  const std::vector<uint64_t> ordered = by_region(fingerprints);
  bool is_new[kReplayedAtOnce];
  for (size_t from = 0; from < ordered.size(); from += kReplayedAtOnce) {
    const auto some = std::span(ordered).subspan(from, std::min(kReplayedAtOnce, ordered.size() - from));
    if (may_be_in_runs)
      TRY_VOID(insert_batch(some, is_new));
    else
      replay_some(some);
  }
  return {};
}

Result<void> SeenSet::spill_now() {
  while (frozen_ && !frozen_is_written_) {
    const auto stepped = next_task()->step();
    settle(stepped);
    if (!stepped) return std::unexpected(stepped.error());
  }
  return {};
}

}  // namespace caddis::store
