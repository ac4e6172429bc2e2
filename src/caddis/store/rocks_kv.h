// Kv in RocksDB: the state of real crawls. The only file that knows RocksDB is rocks_kv.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/store/kv.h"

namespace rocksdb {
class Env;
}

namespace caddis::store {

struct RocksOptions {
  size_t cache_bytes = 64 << 20;         // block cache, index and filter blocks included
  size_t write_buffer_bytes = 64 << 20;  // memtables of all families together
  rocksdb::Env* env = nullptr;           // the system's; tests give their own disk, which outlives the store
};

// Opens the store in `path` (made where needed; its files only their owner may read) and makes families that are not
// there yet. Families of the store that are not named are left alone. ErrorCode::conflict where another process or
// object has it open, ErrorCode::corrupt where RocksDB finds damage; both say what to do.
Result<std::unique_ptr<Kv>> open_rocks(const std::string& path, const std::vector<std::string>& families,
                                       const RocksOptions& options = {});

// The same as a KvOpener.
KvOpener rocks_opener(const RocksOptions& options = {});

}  // namespace caddis::store
