#include "caddis/store/rocks_kv.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/base/log.h"
#include "caddis/io/files.h"
#include "caddis/store/private_env.h"
#include "caddis/store/rocks_parts.h"

namespace caddis::store {

namespace {

rocksdb::DBOptions db_options(const RocksOptions& given) {
  rocksdb::DBOptions options;
  options.env = given.env != nullptr ? given.env : private_env();
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.paranoid_checks = true;
  // What a power cut left of unsynced writes may have holes; everything before the first hole is whole. Should it fall
  // behind the last synced write (a disk that lies), the streams are longer than it says, and their recovery cuts them.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.db_write_buffer_size = given.write_buffer_bytes;
  // A family that is rarely written must not hold on to the log for ever.
  options.max_total_wal_size = 4 * given.write_buffer_bytes;
  options.max_background_jobs = 2;
  options.max_open_files = 512;
  options.bytes_per_sync = 1 << 20;
  options.info_log = operator_log();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  return options;
}

rocksdb::ColumnFamilyOptions family_options(const RocksOptions& given) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(given.cache_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_size = 8 << 10;
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.format_version = 5;

  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.write_buffer_size = given.write_buffer_bytes / 2;
  options.level_compaction_dynamic_level_bytes = true;
  // One hint for all keys: the place of the last insertion.
  options.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(0));
  const auto supported = rocksdb::GetSupportedCompressions();
  const bool has_lz4 = std::ranges::find(supported, rocksdb::kLZ4Compression) != supported.end();
  options.compression = has_lz4 ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
  return options;
}

class RocksCursor : public Cursor {
 public:
  RocksCursor(std::unique_ptr<rocksdb::Iterator> iterator, const std::string& path)
      : iterator_(std::move(iterator)), path_(path) {}
  void seek(std::string_view key) override { iterator_->Seek(slice(key)); }
  bool valid() const override { return iterator_->Valid(); }
  void next() override { iterator_->Next(); }
  std::string_view key() const override { return view(iterator_->key()); }
  std::string_view value() const override { return view(iterator_->value()); }
  Result<void> status() const override {
    if (const rocksdb::Status status = iterator_->status(); !status.ok()) return fail_status(status, path_);
    return {};
  }

 private:
  std::unique_ptr<rocksdb::Iterator> iterator_;
  std::string path_;
};

class RocksKv : public Kv {
 public:
  RocksKv(std::string path, std::unique_ptr<rocksdb::DB> db, std::vector<rocksdb::ColumnFamilyHandle*> handles)
      : path_(std::move(path)), db_(std::move(db)), handles_(std::move(handles)) {}

  ~RocksKv() override {
    for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
    db_->Close();  // lazy writes are in the log: nothing to lose, nobody to tell
  }

  Result<std::optional<std::string>> get(Family family, std::string_view key) override {
    rocksdb::PinnableSlice value;
    const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), handle(family), slice(key), &value);
    if (status.IsNotFound()) return std::nullopt;
    if (!status.ok()) return fail_status(status, path_);
    return value.ToString();
  }

  Result<void> write(const Batch& batch, Durability durability) override {
    TRY(rocksdb::WriteBatch rows, write_batch(batch, handles_, path_));
    rocksdb::WriteOptions options;
    options.sync = durability == Durability::synced;
    if (const rocksdb::Status status = db_->Write(options, &rows); !status.ok()) return fail_status(status, path_);
    return {};
  }

  std::unique_ptr<Cursor> cursor(Family family) override {
    return std::make_unique<RocksCursor>(
        std::unique_ptr<rocksdb::Iterator>(db_->NewIterator(rocksdb::ReadOptions(), handle(family))), path_);
  }

  Result<void> checkpoint(const std::string& folder) override {
    rocksdb::Checkpoint* made = nullptr;
    rocksdb::Status status = rocksdb::Checkpoint::Create(db_.get(), &made);
    const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
    if (status.ok()) status = checkpoint->CreateCheckpoint(folder);
    if (!status.ok()) return fail_status(status, folder);
    return {};
  }

 private:
  rocksdb::ColumnFamilyHandle* handle(Family family) const {
    CADDIS_CHECK(family < handles_.size());
    return handles_[family];
  }

  std::string path_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;  // the named families first, in their order
};

}  // namespace

Result<std::unique_ptr<Kv>> open_rocks(const std::string& path, const std::vector<std::string>& families,
                                       const RocksOptions& given) {
  if (given.env == nullptr) TRY_VOID(io::real_files().make_dirs(path));
  const rocksdb::DBOptions options = db_options(given);
  const rocksdb::ColumnFamilyOptions options_of_family = family_options(given);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : all_families(options, path, families))
    descriptors.emplace_back(name, options_of_family);
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  if (const rocksdb::Status status = rocksdb::DB::Open(options, path, descriptors, &handles, &db); !status.ok()) {
    return fail_status(status, path);
  }
  return std::make_unique<RocksKv>(path, std::unique_ptr<rocksdb::DB>(db), std::move(handles));
}

KvOpener rocks_opener(const RocksOptions& options) {
  return [options](const std::string& path, const std::vector<std::string>& families) {
    return open_rocks(path, families, options);
  };
}

}  // namespace caddis::store
