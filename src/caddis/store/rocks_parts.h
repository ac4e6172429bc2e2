// Parts that both stores in RocksDB share (rocks_kv.cc, sorted_store.cc). Private to store.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/write_batch.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/store/kv.h"

namespace caddis::store {

inline rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
inline std::string_view view(const rocksdb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

std::unexpected<Error> fail_status(const rocksdb::Status& status, const std::string& path);

// RocksDB's own words go to the operator's log. Its log file is no choice: it aborts the process (in builds with
// assertions, as Debian's) when it writes to one whose last write failed, on a full disk.
std::shared_ptr<rocksdb::Logger> operator_log();

// The changes in the order of their keys: neighbours in a memtable are found faster from each other than from its top.
Result<rocksdb::WriteBatch> write_batch(const Batch& batch, const std::vector<rocksdb::ColumnFamilyHandle*>& families,
                                        const std::string& path);

// The named families, then those of the store that are not named: RocksDB wants all of them opened.
std::vector<std::string> all_families(const rocksdb::DBOptions& options, const std::string& path,
                                      const std::vector<std::string>& named);

}  // namespace caddis::store
