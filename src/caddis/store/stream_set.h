// The set of streams at work: what is known of each, and of its files. Private to store; streams.h has the contract.
//
// streams.cc writes and commits, stream_start.cc brings files and rows together at a start.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/store/orphans.h"
#include "caddis/store/stream_row.h"
#include "caddis/store/streams.h"

namespace caddis::store {

// One file of a stream, from its first byte to its final name.
struct Generation {
  StreamRow row;               // as of the last commit, or of recovery; length: bytes that are never taken back
  bool stored = false;         // the row is in the store
  uint64_t stored_length = 0;  // that it has there
  bool row_changed = false;    // the row must be staged, even with the same length
  bool closing = false;        // becomes closed with the next commit
  bool sync_failed = false;    // its bytes behind the committed ones may be gone, and no sync would tell
  bool needs_sync = false;     // written or cut since the last sync
  bool touched = false;        // the file may be longer than committed
  uint64_t length = 0;         // with what is not committed yet
  std::string gathered;        // the last bytes, not yet in the file
  std::unique_ptr<io::File> file;

  bool is_current() const { return row.state == StreamRow::State::open && !closing; }
};

struct Stream {
  StreamRow::Kind kind = StreamRow::Kind::log;
  std::string base_path;           // of a log: without the .N of later generations
  uint32_t stored_generation = 0;  // the highest that has a row
  uint64_t stored_length = 0;      // of that one
  std::vector<Generation> live;    // all that the next commit may have to do with; the last may be current
  std::vector<StreamRow> closed;   // of a log: its files before those, as committed
  uint64_t released = 0;           // bytes of the log before those
  uint64_t to_release = 0;         // closed files that are let go with the next commit

  Generation* current() { return !live.empty() && live.back().is_current() ? &live.back() : nullptr; }
  uint32_t next_generation() const {
    return std::max(stored_generation, live.empty() ? 0 : live.back().row.generation) + 1;
  }
};

class StreamSetImpl : public StreamSet {
 public:
  StreamSetImpl(io::Files& files, Family family, std::string orphans, std::string root, std::vector<StreamRow> rows)
      : files_(files),
        family_(family),
        orphans_(files, std::move(orphans)),
        root_(std::move(root)),
        rows_(std::move(rows)),
        recovered_(rows_.empty()) {}

  Result<std::vector<MissingFile>> missing() const override;
  void give_up(const std::string& path) override { given_up_.insert(path); }
  Result<RecoveryReport> recover(const std::vector<std::string>& owned_dirs,
                                 const std::function<bool(std::string_view path)>& keep,
                                 const std::vector<StreamEnds>& earlier, bool goes_back) override;
  StreamEnds ends() const override;
  Result<void> cut_torn(const std::string& path, uint64_t length) override;
  Result<void> open_stream(const std::string& name, const std::string& path) override;
  Result<void> roll_stream(const std::string& name, const std::string& path, const std::string& open_suffix) override;
  bool is_taken(const std::string& path, const std::string& open_suffix) const override {
    return files_.exists(path) || files_.exists(path + open_suffix);
  }
  Result<void> roll_log(const std::string& name) override;
  void release(const std::string& name, uint64_t bytes, uint64_t commits) override;
  LogParts parts(const std::string& name) const override;
  Result<void> close_stream(const std::string& name) override;
  bool has_open(const std::string& name) const override { return find(name) != nullptr; }
  uint64_t length(const std::string& name) const override { return find(name) ? find(name)->length : 0; }
  uint64_t committed_length(const std::string& name) const override { return find(name) ? find(name)->row.length : 0; }
  std::string path(const std::string& name) const override { return find(name) ? find(name)->row.path : std::string(); }
  Result<StreamPosition> append(const std::string& name, std::string_view bytes) override;
  Result<void> sync() override;
  void stage_lengths(Batch& batch) override;
  Result<void> committed() override;
  Result<void> abandon_failed() override;

 private:
  struct Renaming {
    std::string from;
    std::string to;
  };
  struct Removal {
    std::string path;
    uint64_t commits;  // until then
  };

  Generation* find(const std::string& name) const {
    const auto stream = streams_.find(name);
    return stream == streams_.end() ? nullptr : const_cast<Stream&>(stream->second).current();
  }
  Result<void> check_ready() const;
  Result<void> check_unused(const std::string& name, const std::string& path) const;
  Result<void> begin(Stream& stream, const std::string& name, const std::string& path, const std::string& suffix);
  Result<void> begin_log(Stream& stream, const std::string& name);
  Result<void> write_out(Generation& generation, std::string_view bytes);
  Result<void> sync_file(Generation& generation);
  Result<void> sync_all();
  void settle_released(Stream& stream);
  void remove_released();
  Result<void> finish_renamings();
  Result<void> cut_back(Generation& generation);
  Result<void> remove_begun(Stream& stream);

  io::Files& files_;
  Family family_;
  Orphans orphans_;
  std::string root_;
  std::vector<StreamRow> rows_;  // as opened, until recovered
  std::set<std::string> given_up_;
  bool recovered_;
  bool failed_ = false;  // the group must be abandoned
  bool synced_ = true;   // nothing was done since the last sync
  std::map<std::string, Stream, std::less<>> streams_;
  std::set<std::string> folders_to_sync_;
  std::vector<Renaming> renamings_;  // of closed generations, committed but still under their open name
  std::vector<Removal> removals_;    // of released ones
  uint64_t commits_before_removal_ = 0;
};

}  // namespace caddis::store
