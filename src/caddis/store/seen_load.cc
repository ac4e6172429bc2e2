// How the seen-set begins: with the runs of its row, and what the fingerprint log has behind them.
#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/store/seen.h"
#include "caddis/store/seen_bytes.h"

namespace caddis::store {

namespace {

constexpr size_t kRowBytes = 8;
constexpr size_t kRowsPerRead = 256 * 1024;

}  // namespace

Result<bool> log_holds(io::Files& files, const std::vector<std::string>& log_parts, uint64_t fingerprint) {
  std::vector<uint64_t> rows(128 * 1024);
  for (const std::string& path : log_parts) {
    TRY(const auto log, files.open_read(path));
    for (uint64_t at = 0;;) {
      TRY(const size_t got, log->read_at(at, reinterpret_cast<char*>(rows.data()), rows.size() * kRowBytes));
      const auto end = rows.begin() + static_cast<std::ptrdiff_t>(got / kRowBytes);
      if (std::find(rows.begin(), end, fingerprint) != end) return true;
      if (got < rows.size() * kRowBytes) break;
      at += got;
    }
  }
  return false;
}

Result<std::string> SeenSet::load(io::Files& files, const std::optional<std::string>& row,
                                  const std::vector<std::string>& log_parts) {
  uint64_t log_rows = 0;
  std::vector<std::pair<std::unique_ptr<io::File>, uint64_t>> logs;
  for (const std::string& path : log_parts) {
    TRY(auto log, files.open_read(path));
    TRY(const uint64_t bytes, log->size());
    if (bytes % kRowBytes != 0) {
      return fail(ErrorCode::corrupt, fmt::format("{} has {} bytes, which is no whole number of rows of {}: it was not "
                                                  "written by this crawl, or not recovered; go back to the last "
                                                  "checkpoint",
                                                  path, bytes, kRowBytes));
    }
    log_rows += bytes / kRowBytes;
    logs.emplace_back(std::move(log), bytes / kRowBytes);
  }
  std::string notice;
  if (row && files_ != nullptr) {
    const auto state = decode_seen_state(*row);
    Result<void> taken;
    if (!state)
      taken = std::unexpected(state.error());
    else if (state->rows > log_rows)
      taken = fail(ErrorCode::corrupt, fmt::format("{} holds {} rows of the fingerprint log, which has {}", folder_,
                                                   state->rows, log_rows));
    else
      taken = take_runs(*state);
    if (state)
      for (const SeenState::Run& run : state->runs) next_number_ = std::max(next_number_, run.number + 1);
    if (!taken) {
      if (taken.error().code != ErrorCode::corrupt) return std::unexpected(std::move(taken).error());
      notice = fmt::format("{}; the seen-set was made anew from its log", taken.error().message);
      runs_.clear();
      state_ = SeenState();
      state_changed_ = true;
    }
  }
  if (files_ != nullptr) TRY_VOID(forget_other_files());
  has_zero_ = state_.has_zero;
  rows_ = state_.rows;
  size_ = has_zero_;
  for (const Run& run : runs_) size_ += run.file->values();
  if (files_ != nullptr) share_budget();
  table_->reserve(log_rows - rows_);
  for (uint64_t skipped = rows_; const auto& [log, rows] : logs) {
    TRY_VOID(load_part(*log, rows, std::min(skipped, rows)));
    skipped -= std::min(skipped, rows);
  }
  return notice;
}

// Every byte is read: a damaged run is found now, and not in the middle of a crawl.
Result<void> SeenSet::take_runs(const SeenState& state) {
  for (const SeenState::Run& named : state.runs) {
    Run run;
    TRY(run.file, SeenRun::open(*files_, folder_, named.number, named.values));
    run.filter = new_filter(*run.file);
    run.filter_made = true;
    SeenFilterTask check(run.file, run.filter);
    bool done = false;
    while (!done) {
      TRY(done, check.step());
    }
    runs_.push_back(std::move(run));
  }
  state_ = state;
  return {};
}

// Runs that no commit names: begun, or merged into others.
Result<void> SeenSet::forget_other_files() {
  if (!files_->is_directory(folder_)) return {};
  TRY(const auto entries, files_->list(folder_));
  for (const io::DirectoryEntry& entry : entries) {
    const std::string path = io::join_path(folder_, entry.name);
    if (std::ranges::any_of(runs_, [&](const Run& run) { return seen_run_path(folder_, run.file->number()) == path; }))
      continue;
    const auto number = parse_int(std::string_view(entry.name).substr(0, entry.name.find('.')));
    if (number && *number > 0) next_number_ = std::max(next_number_, static_cast<uint64_t>(*number) + 1);
    TRY_VOID(files_->remove(path));
  }
  return {};
}

Result<void> SeenSet::load_part(const io::File& log, uint64_t rows, uint64_t skipped) {
  std::vector<uint64_t> read(static_cast<size_t>(std::min<uint64_t>(kRowsPerRead, rows - skipped)));
  const auto is_new = std::make_unique<bool[]>(read.size());
  while (skipped < rows) {
    read.resize(static_cast<size_t>(std::min<uint64_t>(kRowsPerRead, rows - skipped)));
    const size_t bytes = read.size() * kRowBytes;
    TRY(const size_t got, log.read_at(skipped * kRowBytes, reinterpret_cast<char*>(read.data()), bytes));
    if (got != bytes) return fail(ErrorCode::corrupt, "the fingerprint log became shorter while it was read");
    TRY_VOID(replay(read));
    skipped += read.size();
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
