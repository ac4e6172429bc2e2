// Kv in RAM, with a power switch: for tests, the simulated world and ThreadSanitizer runs.
//
// A MemoryKvDisk owns the stored rows and outlives the Kvs opened on it, as a disk outlives processes. A synced write
// makes itself and all lazy writes before it durable; of the lazy writes since, `crash` keeps a random prefix (whole
// batches).
//
//   MemoryKvDisk disk;
//   auto kv = *disk.open({"hosts", "queues"});
//   ...
//   disk.crash(random);                          // `kv` is dead now: it answers with errors
//   kv = *disk.open({"hosts", "queues"});
//
// All methods may be called from any thread. Cursors hold what they see: a write while a cursor lives copies its
// family.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"

namespace caddis::store {

class MemoryKvDisk {
 public:
  MemoryKvDisk();
  ~MemoryKvDisk();

  // ErrorCode::conflict while another Kv is open on it.
  Result<std::unique_ptr<Kv>> open(const std::vector<std::string>& families);
  // The same as a KvOpener, whatever the path; the disk must outlive it.
  KvOpener opener();

  // From now on a Kv can be asked for checkpoints: a file "rows" in the folder. `load` makes the store what such a file
  // says, at once and durably; ErrorCode::conflict while a Kv is open on it.
  void save_to(io::Files& files);
  Result<void> load(std::string_view rows);

  // The power goes, and comes back.
  void crash(Random& random);
  // Called before each write; an error it gives is the write's result, and nothing is written.
  using Gate = std::function<Result<void>(const Batch& batch, Durability durability)>;
  void set_gate(Gate gate);

 private:
  friend class MemoryKv;
  struct State;
  std::shared_ptr<State> state_;
};

// A store of its own, gone with the Kv.
std::unique_ptr<Kv> memory_kv(const std::vector<std::string>& families);

}  // namespace caddis::store
