// The seen-set: which crawl keys were ever accepted. Exact over 64-bit fingerprints; in RAM, in 9 to 14 bytes each, as
// far as its budget goes, and beyond that in sorted runs on disk, in 6 to 8 bytes each.
//
//   const uint64_t f = fingerprint(crawl_key, partition, key);
//   TRY_VOID(seen.insert_batch(fingerprints, is_new));     // one batch a page: memory and disk accesses overlap
//   append_fingerprint(log_bytes, f);                      // for each new one, in their order: into the committed
//                                                          // stream "seen"
//
// A run becomes valid with the row that names it (`stage`), in the same batch as the log's length, or a later one: so
// it never holds what was not committed to the log. What the runs do not hold is read from the log; what they have held
// for a while, in runs and states of the row that no disk can lose any more, is not needed in the log, which may let go
// of it (`held_rows`, docs/formats/seen.md).
//
// When the table in RAM is full, a new one begins, and background tasks write the old one to a run. It goes on
// answering until its memory is needed: a set that begins to spill becomes slower by and by.
//
// Not thread-safe: owned by the committer's loop; only the steps of a task may run elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/seen_filter.h"
#include "caddis/store/seen_run.h"
#include "caddis/store/seen_state.h"
#include "caddis/store/seen_table.h"
#include "caddis/store/seen_task.h"
#include "caddis/store/streams.h"

namespace caddis::store {

// Drawn once per crawl and kept in its state: nobody outside can find keys that collide.
struct FingerprintKey {
  uint64_t k0 = 0;
  uint64_t k1 = 0;
};

inline constexpr int kPartitionBits = 10;

// The partition (below 1024) in the upper 10 bits, 54 bits of keyed hash below them. Fixed for ever: it is on disk.
uint64_t fingerprint(std::string_view crawl_key, uint16_t partition, FingerprintKey key);
inline uint16_t partition_of(uint64_t fingerprint) {
  return static_cast<uint16_t>(fingerprint >> (64 - kPartitionBits));
}

// Appends one row of the fingerprint log.
void append_fingerprint(std::string& log, uint64_t fingerprint);

// The fingerprint log, as far as there is one.
struct SeenLog {
  struct Part {
    std::string path;
    std::optional<uint64_t> bytes;  // that count, from its beginning; all of them if it is not said
  };
  std::vector<Part> parts;  // its files, in their order
  uint64_t released = 0;    // rows that stood before them, and were let go
  // A disk has lost rows in the midst of it: where which row stood is not known any more.
  bool is_torn = false;
};

// How far `load` may go about damaged runs.
enum class SeenMending {
  none,      // they are an error
  replaced,  // the runs of a former state are taken, or none, if the log has what they lack: nothing is lost
  salvaged,  // besides, what can still be read of them is kept if the log has not what they lack
};

// The damage to the runs that a row names, and how far one has to go to do without them.
struct SeenDamage {
  std::string what;                  // "" if they are whole
  std::optional<SeenMending> needs;  // nothing if there is no way
  bool operator==(const SeenDamage&) const = default;
};

// A stopped crawl's: its row, the folder of its runs, and its log as committed.
struct SeenOnDisk {
  std::optional<std::string> row;
  std::string folder;
  LogParts log;
};

// Whether the fingerprint stands in it: reads one block of each run, and all of the log, in a megabyte of memory.
// ErrorCode::corrupt where that cannot be known, since runs are damaged.
Result<bool> seen_on_disk(io::Files& files, const SeenOnDisk& seen, uint64_t fingerprint);

// Checks every byte of the runs that `row` names. `released`: rows that the log has let go.
Result<SeenDamage> inspect_seen_runs(io::Files& files, const std::string& folder, const std::optional<std::string>& row,
                                     uint64_t released);

class SeenSet {
 public:
  // All in RAM, without a limit, until `spill_to`.
  SeenSet() = default;
  SeenSet(const SeenSet&) = delete;
  SeenSet& operator=(const SeenSet&) = delete;

  // From now on it takes about `budget` bytes of RAM, and the rest lies in `folder`, which is its own. A state of the
  // row that has been replaced is kept for `commits` more commits. Before anything else.
  void spill_to(io::Files& files, std::string folder, uint64_t budget, uint64_t commits = 0);
  // Takes over the runs that `row` names (nothing where there is no row), checks every byte of them, and reads the rest
  // from the files of the log. Returns what has been mended, in words, or nothing. ErrorCode::corrupt if more would have
  // to be mended than `may` allows, or the log is no whole number of rows. After an error it may be called again.
  Result<std::string> load(io::Files& files, const std::optional<std::string>& row, const SeenLog& log,
                           SeenMending may = SeenMending::none);

  // Adds all, in order; is_new[i] says whether fingerprints[i] was not there before (also not earlier in the batch).
  // `is_new` is as long as `fingerprints`. An error means that nothing was added: a run could not be read
  // (ErrorCode::corrupt where it is damaged; the next `load` makes it anew).
  Result<void> insert_batch(std::span<const uint64_t> fingerprints, std::span<bool> is_new);
  Result<bool> contains(uint64_t fingerprint);
  uint64_t size() const { return size_; }
  uint64_t memory_bytes() const;
  uint64_t disk_bytes() const;
  size_t runs() const { return runs_.size(); }

  // The task to go on with, if any: call its step, on any thread, then give the outcome to `settle`. An error is also
  // settled: what the task has begun is begun anew with the next one.
  SeenTask* next_task();
  void settle(const Result<bool>& stepped);
  // So much waits to be written that memory goes beyond the budget: nothing more should be added until tasks have done
  // it.
  bool is_behind() const;

  // The row that names the present runs, where it has changed: into the batch that commits a group, which also commits
  // all rows of the log that were inserted so far. `committed` when the batch is durable. To be called for each group.
  std::optional<std::string> stage();
  void committed();
  // So many rows, from the beginning of the log, are in the runs of every state that the committed row names.
  uint64_t held_rows() const { return held_rows_; }
  // How long a file of the log should be: what is kept although it is held is at most so much.
  uint64_t log_file_bytes() const;

 private:
  struct Run {
    std::shared_ptr<const SeenRun> file;
    std::shared_ptr<SeenFilter> filter;  // may be null: every question is put to the disk then
    bool filter_made = false;            // or there is no room for one
  };
  // A state of the row that was replaced.
  struct Former {
    SeenState state;
    uint64_t commits = 0;  // since then
  };
  struct Job {
    std::unique_ptr<SeenTask> task;
    std::function<void()> adopt;
    std::string file;  // that it writes
  };
  struct Question {
    uint32_t run;
    uint32_t index;  // in the batch
    uint64_t block;
    uint64_t value;
  };

  Result<void> look_up(std::span<const uint64_t> fingerprints, std::span<bool> is_new);
  void look_in_memory(std::span<const uint64_t> fingerprints, std::span<bool> is_new, size_t first);
  Result<void> ask_runs(std::span<bool> is_new);
  bool insert(uint64_t fingerprint);

  uint64_t runs_memory() const;
  void share_budget();
  void freeze();
  void freeze_if_full();
  void make_room();
  std::optional<Job> spill_job();
  std::optional<Job> chore();
  std::optional<Job> merge_job();
  void adopt_merged(size_t first, size_t count, std::shared_ptr<const SeenRun> merged);
  std::shared_ptr<SeenFilter> new_filter(const SeenRun& run) const;

  void age_formers();
  bool is_named(const std::string& path) const;
  uint64_t rows_of_all_states() const;

  struct Log;  // the fingerprint log, opened
  struct Taken {
    std::string notice;  // of damage, if there is any
    bool is_salvaged = false;
  };
  Result<Taken> take_states(const std::optional<std::string>& row, uint64_t released, SeenMending may);
  std::unexpected<Error> refuse(const Error& damage) const;
  void name_states(const std::vector<SeenState>& states, std::optional<size_t> found);
  Result<std::optional<size_t>> take_whole(std::span<const SeenState> states, uint64_t released, Error& damage);
  Result<std::string> salvage(const std::vector<SeenState>& states, uint64_t released, std::optional<size_t>& found);
  Result<void> take_runs(const SeenState& state);
  Result<Run> open_run(const SeenState::Run& named) const;
  Result<std::string> salvage_runs(const SeenState& state);
  Result<void> forget_other_files();
  Result<void> load_all(const Log& log);
  Result<void> load_torn(const Log& log);
  Result<void> load_part(const io::File& file, uint64_t rows, uint64_t skipped, bool may_be_in_runs);
  Result<void> replay(std::span<const uint64_t> fingerprints, bool may_be_in_runs);
  void replay_some(std::span<const uint64_t> fingerprints);
  Result<void> spill_now();

  std::unique_ptr<SeenTable> table_ = std::make_unique<SeenTable>();
  // The table that was full, being written to a run or there already.
  std::shared_ptr<SeenTable> frozen_;
  uint64_t frozen_rows_ = 0;
  bool frozen_has_zero_ = false;
  bool frozen_is_written_ = false;
  const SeenRun* mirror_ = nullptr;  // the run that holds exactly what `frozen_` held
  std::vector<Run> runs_;            // the oldest first
  uint64_t size_ = 0;
  uint64_t rows_ = 0;      // of the log: all that was ever inserted, in this order
  bool has_zero_ = false;  // the one fingerprint that neither table nor run can hold

  io::Files* files_ = nullptr;
  std::string folder_;
  uint64_t budget_ = 0;
  uint64_t most_in_table_ = ~0ULL;
  uint64_t next_number_ = 1;
  std::optional<Job> spill_;
  std::optional<Job> chore_;
  Job* current_ = nullptr;  // of the two
  SeenState state_;         // rows and has_zero of the runs
  bool state_changed_ = false;
  SeenState named_;              // that the row has, or will have with the staged one
  bool has_row_ = false;         // it has one
  std::vector<Former> formers_;  // the latest first
  uint64_t commits_kept_ = 0;    // how long
  uint64_t held_rows_ = 0, staged_held_rows_ = 0;
  // Files of no use any more: still named by the row, about to be no more, and free to be removed.
  std::vector<std::string> obsolete_, staged_obsolete_, removable_;
  std::vector<Question> questions_, waiting_;
  std::string block_;
};

}  // namespace caddis::store
