// Checkpoints: states of a launch that it can go back to (docs/formats/checkpoint.md).
//
//   state/checkpoints/<name>/{manifest, db/, seen-runs/, seen/}
//
// A checkpoint is a copy of the key-value store between two groups, which holds the lengths of all streams, with hard
// links to the files that the store names and that may go: runs of the seen-set, and its log, so that a new crawl can
// be begun from it wherever it lies. It is written under `<name>.tmp` and renamed when all of it is durable: what ends
// in .tmp is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

struct Checkpoint {
  std::string name;
  uint64_t number = 0;   // counts the checkpoints of a launch
  bool is_kept = false;  // a person named it: it is never removed
  WallTime taken{};
  std::string launch;  // its name
  std::string format;  // of the state
  uint64_t documents = 0, bytes = 0, queued = 0, seen = 0;
  // Committed lengths of the logs, by stream.
  struct Log {
    std::string stream;
    uint64_t length = 0;
    std::string file;  // base name
    bool operator==(const Log&) const = default;
  };
  std::vector<Log> logs;
  std::vector<Log> seen_parts;  // files of `seen/`
  bool operator==(const Checkpoint&) const = default;
};

// The manifest as text, and back; docs/formats/checkpoint.md. ErrorCode::unsupported where its version is another.
std::string format_manifest(const Checkpoint& checkpoint);
Result<Checkpoint> parse_manifest(std::string_view text);

// Whether a person may call one so: letters, digits, '.', '_' and '-', at most 64, not "latest".
bool is_checkpoint_name(std::string_view name);
// "cp00001-20261121073000".
std::string automatic_name(uint64_t number, WallTime now);

struct Checkpoints {
  std::vector<Checkpoint> complete;     // the oldest first
  std::vector<std::string> incomplete;  // names of those that were never finished, or are being removed
  std::vector<std::string> damaged;     // why, for each whose manifest cannot be read
};
std::string checkpoint_folder(const collection::Launch& launch, std::string_view name);
Result<Checkpoints> list_checkpoints(io::Files& files, const collection::Launch& launch);
// By its name, or "latest". ErrorCode::not_found says which there are.
Result<Checkpoint> find_checkpoint(io::Files& files, const collection::Launch& launch, std::string_view name);

// Writes one. To be called between two groups, and where blocking is allowed.
Result<void> write_checkpoint(io::Files& files, store::Kv& kv, const collection::Launch& launch,
                              const Checkpoint& checkpoint);
// Removes it, so that no half of it is ever taken for a checkpoint.
Result<void> remove_checkpoint(io::Files& files, const collection::Launch& launch, const std::string& name);

}  // namespace caddis::crawl
