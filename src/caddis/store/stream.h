// One stream at work, and its files: what is known of each. Private to store; streams.h has the contract.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/stream_row.h"

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
  bool is_gone = false;        // with its folder or disk: it is opened anew, if it comes back
  bool is_left = false;        // closed as the last commit left it, and never looked at again
  uint64_t length = 0;         // with what is not committed yet
  std::string gathered;        // the last bytes, not yet in the file
  std::unique_ptr<io::File> file;

  // Opens the file where it was left. ErrorCode::not_found if it is gone, conflict if somebody else has written it.
  Result<void> open(io::Files& files);
  // ErrorCode::not_found if the file of a rolled stream has lost its name.
  Result<void> check_in_place(io::Files& files) const;
  bool is_current() const { return row.state == StreamRow::State::open && !closing; }
  // After an error the bytes behind the committed ones may be gone, whatever a later sync says.
  Result<void> sync();
  // As the last commit left it; closed if its sync failed. One of a rolled stream that cannot be cut is gone.
  Result<void> cut_back();
  // Closes it at its committed length, whatever the file has.
  void leave(io::Files& files);
};

struct Stream {
  StreamRow::Kind kind = StreamRow::Kind::log;
  std::string base_path;           // of a log: without the .N of later generations
  uint32_t stored_generation = 0;  // the highest that has a row
  uint64_t stored_length = 0;      // of that one
  std::vector<Generation> live;    // all that the next commit may have to do with; the last may be current
  bool is_left = false;            // the group is written without it
  std::vector<StreamRow> closed;   // of a log: its files before those, as committed
  uint64_t released = 0;           // bytes of the log before those
  uint64_t to_release = 0;         // closed files that are let go with the next commit

  Generation* current() { return !live.empty() && live.back().is_current() ? &live.back() : nullptr; }
  // Removes the files begun in the group; `folders` are to be synced. What they hold is in the hands of the caller, who
  // writes it again.
  Result<void> remove_begun(io::Files& files, std::set<std::string>& folders);
  // The same as far as it can be done, and its other files are left.
  void abandon_left(io::Files& files, std::set<std::string>& folders);
  // All is committed: rows say what files hold. Returns the rows of the files that were closed with it.
  std::vector<StreamRow> settle();
  // Files of the beginning are no part of the log any more. Returns their paths.
  std::vector<std::string> settle_released();
  uint32_t next_generation() const {
    return std::max(stored_generation, live.empty() ? 0 : live.back().row.generation) + 1;
  }
};

}  // namespace caddis::store
