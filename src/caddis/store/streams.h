// Committed streams: append-only files whose length is agreed with the key-value store, so that after any death every
// one of them ends exactly at its last committed byte (docs/architecture.md, "The commit protocol").
//
//   group:   set.append(id, bytes) for each stream → set.sync() → set.stage_lengths(batch) → kv.write(batch, synced)
//            → set.committed()
//   start:   set.inspect() plans how every stream is cut to its committed length, set.apply() does it; what was cut, and
//            files nobody knows, are moved to `orphans/`, never deleted.
//
// A stream has a name ("crawl.log", "warc", "seen"), a generation (a number that grows with each new file of the
// stream), a path and a committed length, kept as one row of the family given at creation. Closed generations of rolled
// streams (WARC files) keep their row as `closed` with their final length, so that they are checked at recovery too.
//
// A log may be continued in another file, and files that stand at its beginning may be let go, when what they hold is
// safe elsewhere (the fingerprint log): their rows stay as `released`, so that places in the log keep their numbers.
// Files of other logs may be packed when they are closed; rows say nothing of it, and recovery takes either form.
//
// Not thread-safe: owned by the committer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/file_chores.h"
#include "caddis/store/kv.h"
#include "caddis/store/orphans.h"
#include "caddis/store/packing.h"
#include "caddis/store/stream.h"
#include "caddis/store/stream_plan.h"
#include "caddis/store/stream_row.h"

namespace caddis::store {

// Where bytes of a stream landed.
struct StreamPosition {
  std::string path;     // the file, as it will be named once closed
  uint64_t offset = 0;  // of the first appended byte
};

// Where a stream ended at one commit.
struct StreamEnd {
  std::string name;
  uint32_t generation = 0;  // 0: it had no file yet
  uint64_t length = 0;
  bool operator==(const StreamEnd&) const = default;
};
using StreamEnds = std::vector<StreamEnd>;

// The files that a log consists of, in their order, as committed.
struct LogParts {
  struct Part {
    std::string path;
    uint64_t length = 0;
  };
  uint64_t released = 0;  // bytes that stood before the first of them, in files that were let go
  std::vector<Part> parts;
};

// The name of a stream: "crawl.log".
using StreamId = std::string_view;

class StreamSet {
 public:
  // `family` of `kv` holds the rows; `orphans` is the folder for what is cut. Reads the rows, touches no file yet.
  // Paths below `root` are kept relative to it, so that a collection may be moved between two runs; "" keeps them as
  // they are given.
  static Result<std::unique_ptr<StreamSet>> open(io::Files& files, Kv& kv, Family family, std::string orphans,
                                                 std::string root = {});

  // Plans how every stream is cut to its committed length, and changes nothing. `owned_dirs` are folders in which each
  // file (not in folders below) must belong to a stream: others (but for paths that `keep` accepts) become orphans; paths
  // must be written as those of the streams are.
  Result<StreamPlan> inspect(const std::vector<std::string>& owned_dirs,
                             const std::function<bool(std::string_view path)>& keep) const;
  // Does it. To be called once, before anything else, if the set has rows. Dying in it is safe: the next start plans
  // anew. ErrorCode::corrupt if the plan needs a repair (stream_repair.h): nothing is done then.
  Result<void> apply(const StreamPlan& plan);
  // Where all streams ended at the last commit.
  StreamEnds ends() const;

  // Declares a stream that stays one file for ever (a log). Creates the file where it is new; a file that is already
  // there but belongs to no stream (a death in the first group) goes to the orphans. Where the former file had to be
  // given up, the stream goes on in `path.N`.
  Result<void> open_stream(StreamId name, const std::string& path);
  // Begins the next generation of a rolled stream at `path`; while it is written its file is called `path` +
  // `open_suffix`. The former generation, if any, is closed (renamed to its final name) at the next commit.
  // ErrorCode::conflict where a file of either name exists.
  Result<void> roll_stream(StreamId name, const std::string& path, const std::string& open_suffix);
  // Whether a file stands where `roll_stream` would begin one. To be asked where the archive is shared with others.
  bool is_taken(const std::string& path, const std::string& open_suffix) const;
  // Continues a log in `path.N`, N being the number of the next generation; the former one is closed with the next
  // commit.
  Result<void> roll_log(StreamId name);
  // Closed files of a log that lie wholly in its first `bytes` bytes are let go: with the next commit they are no part
  // of it any more, and `commits` commits later they are removed. What they hold must be safe by then, and stay so even
  // if the last `commits` commits should be lost.
  void release(StreamId name, uint64_t bytes, uint64_t commits);
  LogParts parts(StreamId name) const;
  // Packs closed files of logs, as far as it is told to.
  Packing& packing() { return packing_; }
  // Closes the current generation of a rolled stream without beginning another.
  Result<void> close_stream(StreamId name);
  bool has_open(StreamId name) const;
  // Length including what is appended but not yet committed.
  uint64_t length(StreamId name) const;
  uint64_t committed_length(StreamId name) const;
  std::string path(StreamId name) const;
  std::vector<std::string> names() const;

  Result<StreamPosition> append(StreamId name, std::string_view bytes);
  // fdatasync of every stream appended to since the last commit, and of folders with new names. After an error nothing
  // of the group may be committed: call `abandon_failed` and write the group again.
  Result<void> sync();
  // Adds the new lengths to the batch that commits the group.
  void stage_lengths(Batch& batch);
  // The batch is durable: closed generations get their final names. An error means only that a renaming is still to be
  // done: it is tried again at the next commit, and at the latest by recovery.
  Result<void> committed();
  // The stream whose file took no bytes, or could not be synced, until the group is abandoned. Empty if it was none.
  const std::string& failed_stream() const { return failed_stream_; }
  // After a failed append, roll or sync: everything is again as the last commit left it. Streams of the group are cut
  // back to their committed length, files begun in the group are removed (their bytes are the caller's, who writes them
  // again), closings are undone. A file whose sync failed is closed at its committed length, never to be synced again,
  // and its stream goes on in a new file: a log in `path.N` at once, a rolled stream (has_open is false then) when the
  // caller rolls it. Not for a kv.write that failed: then nobody knows whether the group is committed, and only dying
  // and recovering helps.
  // One that is gone with its disk or folder is opened anew when the group is written again: it fails until it is back.
  Result<void> abandon_failed();
  // Between a failure and `abandon_failed`: the group is written again without this rolled stream. Its file is closed at
  // its committed length, and one that was begun in the group is removed, both as far as they can be: nothing is asked of
  // them any more. Recovery does the rest, when they are back.
  void leave(StreamId name);

 private:
  StreamSet(io::Files& files, Family family, std::string orphans, std::string root, std::vector<StreamRow> rows);

  Generation* find(StreamId name) const;
  Result<void> check_ready() const;
  Result<void> begin(Stream& stream, StreamId name, const std::string& path, const std::string& suffix);
  Result<void> begin_log(Stream& stream, StreamId name);
  Result<void> write_out(Generation& generation, std::string_view bytes);

  io::Files& files_;
  const Family family_;
  Orphans orphans_;
  const std::string root_;
  std::vector<StreamRow> rows_;  // as opened, until recovered
  bool recovered_;
  bool failed_ = false;  // the group must be abandoned
  std::string failed_stream_;
  bool synced_ = true;  // nothing was done since the last sync
  std::map<std::string, Stream, std::less<>> streams_;
  std::set<std::string> folders_to_sync_;
  FileChores chores_;
  Packing packing_;
  uint64_t commits_before_removal_ = 0;
};

// The files of a log's stream that lie on the disk, in their order: `path`, and those in which it went on. After
// recovery they hold exactly what is committed. For logs of which nothing is ever released.
Result<std::vector<std::string>> log_parts(io::Files& files, const std::string& path);

// The files of a stream that the store knows, the first one first, under their final names. For states that are not at
// work.
Result<std::vector<std::string>> committed_files(Kv& kv, Family family, std::string_view stream,
                                                 const std::string& root = {});

// As StreamSet::parts, for states that are not at work: files may be longer than committed.
Result<LogParts> committed_parts(Kv& kv, Family family, std::string_view log, const std::string& root = {});

}  // namespace caddis::store
