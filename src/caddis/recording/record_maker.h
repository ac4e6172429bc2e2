// Makes the records of an exchange: response or revisit, request and metadata, as crawls do (archive/capture.h).
//
// Any thread; the ids of records are drawn under a lock.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "caddis/archive/settings.h"
#include "caddis/base/random.h"
#include "caddis/dedup/original.h"
#include "caddis/dedup/settings.h"
#include "caddis/io/spool.h"
#include "caddis/recording/captures.h"
#include "caddis/recording/own_originals.h"
#include "caddis/recording/recorded_exchange.h"

namespace caddis::recording {

class RecordMaker {
 public:
  struct Options {
    archive::ArchiveSettings archive;
    dedup::DedupSettings dedup;
    uint64_t seed = 0;
  };
  // `folder` is where records that are large are spooled. `own` and `known` outlive it: who knows payloads.
  RecordMaker(Options options, io::Files& files, std::string folder, const OwnOriginals& own,
              const dedup::Originals& known)
      : options_(std::move(options)),
        spools_(files, std::move(folder)),
        own_(own),
        known_(known),
        random_(options_.seed) {}

  // ErrorCode::io, no_space or limit where the disk does not take the records.
  Result<MadeCapture> make(const RecordedExchange& exchange, WallTime finished);

 private:
  Result<std::optional<dedup::Match>> known_payload(const RecordedExchange& exchange, const MadeCapture& made) const;
  std::optional<std::pair<std::string, std::string>> row_of(const MadeCapture& made) const;
  uint64_t next_seed();

  const Options options_;
  io::SpoolFolder spools_;
  const OwnOriginals& own_;
  const dedup::Originals& known_;
  std::mutex mutex_;  // of what follows
  SeededRandom random_;
};

}  // namespace caddis::recording
