// A new launch that begins with what another one had found: the set of known URLs and the queues of a checkpoint become
// those of the new launch; archive files, logs and counts do not (docs/formats/checkpoint.md).
#pragma once

#include <memory>
#include <string>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

struct ForkSource {
  std::string folder;  // of the checkpoint
  Checkpoint checkpoint;
  // The file of the launch in whose state it lies; not there if it was taken elsewhere, or the launch had none.
  std::string secrets_file() const { return io::parent_path(io::parent_path(folder)) + "/secrets.yaml"; }
  std::string seed_lists() const { return io::parent_path(io::parent_path(folder)) + "/seeds"; }
  // The crawl's name, as its launch has it.
  std::string crawl_name() const { return checkpoint.launch.substr(0, checkpoint.launch.rfind('-')); }
};

// `path`: the folder of a checkpoint, wherever it lies; or a launch or a collection, of which it is the latest.
// ErrorCode::not_found where there is none, ErrorCode::unsupported where its format is another.
Result<ForkSource> find_fork_source(io::Files& files, const std::string& path);

// Fills the state of a launch whose folders are there, and opens its store. The source is only read. All of it is
// durable when this returns; until the launch has its crawl.yaml it is none.
struct Fork {
  std::unique_ptr<store::Kv> kv;
  uint64_t next_serial = 0;  // of the WARC files of the source's launch: what was done there lies in lower ones
  std::vector<std::string> unread_lists;  // of seeds: not read whole, and not to be found
};
Result<Fork> fork_state(io::Files& files, const store::KvOpener& open_kv, const ForkSource& source,
                        const collection::Launch& launch);

}  // namespace caddis::crawl
