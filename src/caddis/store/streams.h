// Committed streams: append-only files whose length is agreed with the key-value store, so that after any death every one of
// them ends exactly at its last committed byte (docs/architecture.md, "The commit protocol").
//
//   group:   set.append(id, bytes) for each stream → set.sync() → set.stage_lengths(batch) → kv.write(batch, synced)
//            → set.committed()
//   start:   StreamSet::recover() cuts every stream to its committed length; what was cut, and files nobody knows, are moved
//            to `orphans/` and reported, never deleted.
//
// A stream has a name ("crawl.log", "warc", "seen"), a generation (a number that grows with each new file of the stream), a
// path and a committed length, kept as one row of the family given at creation. Closed generations of rolled streams (WARC
// files) keep their row as `closed` with their final length, so that they are checked at recovery too.
//
// Not thread-safe: owned by the committer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"

namespace caddis::store {

// Where bytes of a stream landed.
struct StreamPosition {
  std::string path;     // the file, as it will be named once closed
  uint64_t offset = 0;  // of the first appended byte
};

struct RecoveryReport {
  struct Cut {
    std::string path;
    uint64_t committed = 0;  // length it was cut to
    uint64_t found = 0;      // length it had
    std::string saved_as;    // where the tail went, empty where nothing was cut
  };
  std::vector<Cut> cut;
  std::vector<Cut> shorter;             // a disk that lied: found < committed; the stream goes on in a new generation
  std::vector<std::string> orphans;     // unknown files, under their new path
};

class StreamSet {
 public:
  // `family` of `kv` holds the rows; `orphans` is the folder for what is cut. Reads the rows, touches no file yet.
  static Result<std::unique_ptr<StreamSet>> open(io::Files& files, Kv& kv, Family family, std::string orphans);
  virtual ~StreamSet() = default;

  // Cuts every stream to its committed length. `owned_dirs` are folders in which each file must belong to a stream: others
  // (but for names that `keep` accepts) are moved to the orphans.
  virtual Result<RecoveryReport> recover(const std::vector<std::string>& owned_dirs,
                                         const std::function<bool(std::string_view path)>& keep) = 0;

  // Declares a stream that stays one file for ever (a log). Creates the file where it is new.
  virtual Result<void> open_stream(const std::string& name, const std::string& path) = 0;
  // Begins the next generation of a rolled stream at `path`; while it is written its file is called `path` + `open_suffix`.
  // The former generation, if any, is closed (renamed to its final name) at the next commit.
  virtual Result<void> roll_stream(const std::string& name, const std::string& path, const std::string& open_suffix) = 0;
  // Closes the current generation of a rolled stream without beginning another.
  virtual Result<void> close_stream(const std::string& name) = 0;
  virtual bool has_open(const std::string& name) const = 0;
  // Length including what is appended but not yet committed.
  virtual uint64_t length(const std::string& name) const = 0;
  virtual uint64_t committed_length(const std::string& name) const = 0;
  virtual std::string path(const std::string& name) const = 0;

  virtual Result<StreamPosition> append(const std::string& name, std::string_view bytes) = 0;
  // fdatasync of every stream appended to since the last commit, and of folders with new names. After an error nothing of
  // the group may be committed: call `abandon_failed` and write the group again.
  virtual Result<void> sync() = 0;
  // Adds the new lengths to the batch that commits the group.
  virtual void stage_lengths(Batch& batch) = 0;
  // The batch is durable: closed generations get their final names.
  virtual Result<void> committed() = 0;
  // After a failed append or sync: cuts every stream of the group back to its committed length; a file whose sync failed is
  // closed at its committed length, never to be synced again, and its stream goes on in a new file (for a log: `name.N`).
  virtual Result<void> abandon_failed() = 0;
};

}  // namespace caddis::store
