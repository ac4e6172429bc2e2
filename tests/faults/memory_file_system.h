// RocksDB's file system in MemoryFiles: the real key-value store on a disk that forgets, when the power goes, what was
// not synced, together with all other files of a simulated crawl.
//
//   RocksOnMemory rocks(disk.files);
//   crawl.open_kv = rocks.opener();
//
// Any thread, as RocksDB's background work asks for. A store must be closed before the disk's crash().
#pragma once

#include <memory>

#include "caddis/io/memory_files.h"
#include "caddis/store/kv.h"

namespace caddis::testing {

class RocksOnMemory {
 public:
  explicit RocksOnMemory(io::Files& files);
  ~RocksOnMemory();
  // Small buffers: flushes and compactions happen in small crawls, too.
  store::KvOpener opener();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace caddis::testing
