// A recording: what somebody who browses has seen, kept in a collection as a launch of its own, by the commit protocol
// (docs/architecture.md). It knows nothing of proxies: it is given exchanges.
//
//   TRY(auto recording, Recording::open(world, options, notices));
//   nursery.spawn(recording->run());
//   co_await recording->keep(std::move(exchange));        // in the archive within a second
//   recording->close();                                   // `run` ends after a last group
//   TRY_VOID(recording->finish());                        // the index is in its place
//
//   <collection>/crawls/recording-<timestamp14>/{recording.json, logs/, state/}
//
// Its folder has no crawl.yaml, so nobody takes it for a crawl to be resumed. One that died is ended by the next one
// (leftovers.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/archive/settings.h"
#include "caddis/archive/warcinfo.h"
#include "caddis/base/error.h"
#include "caddis/dedup/settings.h"
#include "caddis/recording/totals.h"
#include "caddis/store/kv.h"
#include "caddis/url/key_policy.h"

namespace caddis::io {
class Files;
}  // namespace caddis::io

namespace caddis::recording {

struct LoggedRequest;
struct RecordedExchange;

// All of it outlives the recording.
struct RecordingWorld {
  io::Files& files;
  const Clock& clock;
  store::KvOpener open_kv;
  aio::Loop& loop;
  aio::Blocking& committing;  // one worker, for groups
  aio::Blocking& packing;     // makes records
  uint64_t seed = 0;          // of the ids of records
  std::string pid, full_hostname;
};

struct RecordingOptions {
  std::string collection;
  archive::ArchiveSettings archive;
  archive::Provenance provenance;  // without the name of the launch
  dedup::DedupSettings dedup;
  url::KeyPolicy index_key = url::KeyPolicy::ia_surt();
};

// Belongs to the world's loop.
class Recording {
 public:
  // Makes the launch, and ends those that died. ErrorCode::conflict if somebody else writes into the collection.
  // `notices`: what people should know.
  static Result<std::unique_ptr<Recording>> open(RecordingWorld world, RecordingOptions options,
                                                 std::vector<std::string>& notices);
  ~Recording();

  // Writes groups until `close` has been called.
  aio::Task<void> run();
  void close();
  // Sorts the index into its place, and takes away what only a recording that runs needs. When `run` has ended; blocks.
  // ErrorCode::io if not everything could be written: then the next recording ends this one.
  Result<void> finish();

  // Waits while the disk has much to do.
  aio::Task<void> wait_for_room();
  // From now on nobody waits for room: whoever stops must not wait for a disk that is full.
  void end_waiting();
  // Makes the records of an exchange, which are committed within a second. Waits while the disk has much to do.
  aio::Task<void> keep(RecordedExchange exchange);
  // Logs a request that has no records: one that failed, or was a WebSocket.
  void log(const LoggedRequest& request);
  // Waits until all that was given until now is durable. ErrorCode::io if that cannot be at present.
  aio::Task<Result<void>> settle();

  // The figures of all that is durable: a capture that is counted is lost to no crash.
  const RecordingTotals& totals() const;
  // "recording-20260102030405"
  const std::string& name() const;
  // Where spools are made.
  std::string spools() const;
  // Why nothing can be written at present; empty while it can.
  const std::string& trouble() const;
  // The state is in doubt: nothing is recorded any more.
  bool has_failed() const;

 private:
  struct Parts;
  explicit Recording(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
  bool is_ending_ = false;  // nobody waits for room any more
};

}  // namespace caddis::recording
