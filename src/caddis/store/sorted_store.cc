#include "caddis/store/sorted_store.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/transaction_log.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <utility>

#include "caddis/io/files.h"
#include "caddis/store/memory_only.h"
#include "caddis/store/private_env.h"
#include "caddis/store/rocks_parts.h"

namespace caddis::store {
namespace {

rocksdb::DBOptions db_options(const SortedStoreOptions& given) {
  rocksdb::DBOptions options;
  options.env = given.env != nullptr ? given.env : private_env();
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.max_total_wal_size = 4 * given.write_buffer_bytes;
  options.max_background_jobs = 2;
  options.max_open_files = given.max_open_files;
  options.bytes_per_sync = 1 << 20;
  options.info_log = operator_log();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.WAL_ttl_seconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(given.keep_changes).count());
  return options;
}

bool is_supported(rocksdb::CompressionType type) {
  const auto supported = rocksdb::GetSupportedCompressions();
  return std::ranges::find(supported, type) != supported.end();
}

rocksdb::ColumnFamilyOptions family_options(const SortedStoreOptions& given,
                                            const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 16 << 10;
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.format_version = 5;
  // Rows are sought by the beginning of their keys, which no filter answers.
  table.filter_policy = nullptr;

  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.write_buffer_size = given.write_buffer_bytes;
  options.max_write_buffer_number = 2;
  options.target_file_size_base = 64 << 20;
  options.level_compaction_dynamic_level_bytes = true;
  options.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(0));
  // Young files are soon written anew; the lowest level holds nine tenths of all.
  options.compression = is_supported(rocksdb::kLZ4Compression) ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
  if (is_supported(rocksdb::kZSTD)) {
    options.bottommost_compression = rocksdb::kZSTD;
    options.bottommost_compression_opts.enabled = true;
    options.bottommost_compression_opts.level = 3;
  }
  return options;
}

rocksdb::ReadOptions read_options() {
  rocksdb::ReadOptions options;
  if (MemoryOnly::is_on()) options.read_tier = rocksdb::kBlockCacheTier;
  return options;
}

std::unexpected<Error> fail_reading(const rocksdb::Status& status, const std::string& path) {
  if (status.IsIncomplete()) MemoryOnly::miss();
  return fail_status(status, path);
}

// Bytes that others have sent: rows of families that are not there would end the process.
class FamilyCheck : public rocksdb::WriteBatch::Handler {
 public:
  explicit FamilyCheck(size_t families) : families_(families) {}
  rocksdb::Status PutCF(uint32_t family, const rocksdb::Slice& /*key*/, const rocksdb::Slice& /*value*/) override {
    return check(family);
  }
  rocksdb::Status DeleteCF(uint32_t family, const rocksdb::Slice& /*key*/) override { return check(family); }
  void LogData(const rocksdb::Slice& /*blob*/) override {}

 private:
  // 0 is RocksDB's own.
  rocksdb::Status check(uint32_t family) const {
    return family <= families_ ? rocksdb::Status::OK() : rocksdb::Status::InvalidArgument("unknown family");
  }
  size_t families_;
};

}  // namespace

struct SortedStore::State {
  std::string path;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;  // the named families first, in their order
  size_t families = 0;                                // those named

  ~State() {
    for (rocksdb::ColumnFamilyHandle* handle : handles) db->DestroyColumnFamilyHandle(handle);
    if (db) db->Close();
  }
};

SortedStore::SortedStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
SortedStore::~SortedStore() = default;

Result<std::unique_ptr<SortedStore>> SortedStore::open(const std::string& path,
                                                       const std::vector<std::string>& families,
                                                       const SortedStoreOptions& given) {
  if (given.env == nullptr) TRY_VOID(io::real_files().make_dirs(path));
  const rocksdb::DBOptions options = db_options(given);
  const auto cache = rocksdb::NewLRUCache(given.cache_bytes);
  const rocksdb::ColumnFamilyOptions of_family = family_options(given, cache);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : all_families(options, path, families)) descriptors.emplace_back(name, of_family);
  auto state = std::make_unique<State>();
  state->path = path;
  state->families = families.size();
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, path, descriptors, &state->handles, &db);
  if (!status.ok()) return fail_status(status, path);
  state->db.reset(db);
  return std::unique_ptr<SortedStore>(new SortedStore(std::move(state)));
}

Result<std::optional<std::string>> SortedStore::get(Family family, std::string_view key) const {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = state_->db->Get(read_options(), state_->handles.at(family), slice(key), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return fail_reading(status, state_->path);
  return value.ToString();
}

Result<void> SortedStore::write(const Batch& batch, Durability durability) {
  TRY(rocksdb::WriteBatch rows, write_batch(batch, state_->handles, state_->path));
  rocksdb::WriteOptions options;
  options.sync = durability == Durability::synced;
  if (const auto status = state_->db->Write(options, &rows); !status.ok()) return fail_status(status, state_->path);
  return {};
}

struct SortedStore::Cursor::State {
  std::unique_ptr<rocksdb::Iterator> iterator;
  const std::string& path;
};

SortedStore::Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
SortedStore::Cursor::Cursor(Cursor&&) noexcept = default;
SortedStore::Cursor& SortedStore::Cursor::operator=(Cursor&&) noexcept = default;
SortedStore::Cursor::~Cursor() = default;
void SortedStore::Cursor::seek(std::string_view key) { state_->iterator->Seek(slice(key)); }
void SortedStore::Cursor::seek_before(std::string_view key) {
  state_->iterator->SeekForPrev(slice(key));
  if (valid() && this->key() == key) state_->iterator->Prev();
}
void SortedStore::Cursor::seek_last() { state_->iterator->SeekToLast(); }
void SortedStore::Cursor::next() { state_->iterator->Next(); }
void SortedStore::Cursor::previous() { state_->iterator->Prev(); }
bool SortedStore::Cursor::valid() const { return state_->iterator->Valid(); }
std::string_view SortedStore::Cursor::key() const { return view(state_->iterator->key()); }
std::string_view SortedStore::Cursor::value() const { return view(state_->iterator->value()); }
Result<void> SortedStore::Cursor::status() const {
  if (const auto status = state_->iterator->status(); !status.ok()) return fail_reading(status, state_->path);
  return {};
}

SortedStore::Cursor SortedStore::cursor(Family family) const {
  return Cursor(std::make_unique<Cursor::State>(
      std::unique_ptr<rocksdb::Iterator>(state_->db->NewIterator(read_options(), state_->handles.at(family))),
      state_->path));
}

uint64_t SortedStore::sequence() const { return state_->db->GetLatestSequenceNumber(); }

Result<std::vector<SortedStore::Change>> SortedStore::changes(uint64_t since, size_t max_bytes) const {
  std::vector<Change> found;
  if (since > sequence() + 1)
    return fail(ErrorCode::conflict, "changes since " + std::to_string(since) + " are not made yet: the last is " +
                                         std::to_string(sequence()) + "; was this index put back from a copy?");
  if (since > sequence()) return found;
  since = std::max<uint64_t>(since, 1);  // the number of the first write
  std::unique_ptr<rocksdb::TransactionLogIterator> log;
  const rocksdb::Status opened = state_->db->GetUpdatesSince(since, &log);
  if (opened.IsNotFound())
    return fail(ErrorCode::not_found, "changes since " + std::to_string(since) + " are kept no more");
  if (!opened.ok()) return fail_status(opened, state_->path);
  for (size_t bytes = 0; log->Valid() && (found.empty() || bytes < max_bytes); log->Next()) {
    rocksdb::BatchResult batch = log->GetBatch();
    if (found.empty() && batch.sequence > since)
      return fail(ErrorCode::not_found, "changes from " + std::to_string(since) + " to " +
                                            std::to_string(batch.sequence - 1) + " are kept no more");
    bytes += batch.writeBatchPtr->GetDataSize();
    const uint64_t rows = batch.writeBatchPtr->Count();
    found.push_back({batch.sequence, batch.writeBatchPtr->Data(), rows});
  }
  // TryAgain: the log went on while it was read; whoever asks comes again.
  const rocksdb::Status ended = log->status();
  if (!ended.ok() && !ended.IsTryAgain()) return fail_status(ended, state_->path);
  // The number of the last write is known, and no log has it.
  if (found.empty() && ended.ok())
    return fail(ErrorCode::not_found,
                "changes from " + std::to_string(since) + " to " + std::to_string(sequence()) + " are kept no more");
  return found;
}

Result<void> SortedStore::apply(std::string_view bytes, const Batch& besides) {
  constexpr size_t kHead = 12;  // sequence and count
  if (bytes.size() < kHead) return fail(ErrorCode::parse, "a write of another index is cut");
  rocksdb::WriteBatch rows{std::string(bytes)};
  FamilyCheck check(state_->families);
  if (const auto status = rows.Iterate(&check); !status.ok())
    return fail(ErrorCode::parse, "what the other index has sent is no write of one like this: " + status.ToString());
  for (const Batch::Change change : besides.changes())
    rows.Put(state_->handles.at(change.family), slice(change.key), slice(change.value));
  rocksdb::WriteOptions options;
  options.sync = true;
  if (const auto status = state_->db->Write(options, &rows); !status.ok()) return fail_status(status, state_->path);
  return {};
}

Result<void> SortedStore::checkpoint(const std::string& folder) {
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(state_->db.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(folder);
  if (!status.ok()) return fail_status(status, folder);
  return {};
}

Result<void> SortedStore::compact() {
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  for (rocksdb::ColumnFamilyHandle* handle : state_->handles) {
    const auto status = state_->db->CompactRange(options, handle, nullptr, nullptr);
    if (!status.ok()) return fail_status(status, state_->path);
  }
  return {};
}

Result<void> SortedStore::flush() {
  if (const auto status = state_->db->Flush(rocksdb::FlushOptions(), state_->handles); !status.ok())
    return fail_status(status, state_->path);
  return {};
}

uint64_t SortedStore::estimated_rows(Family family) const {
  uint64_t rows = 0;
  state_->db->GetIntProperty(state_->handles.at(family), rocksdb::DB::Properties::kEstimateNumKeys, &rows);
  return rows;
}

uint64_t SortedStore::bytes_on_disk() const {
  uint64_t total = 0;
  for (rocksdb::ColumnFamilyHandle* handle : state_->handles) {
    uint64_t bytes = 0;
    state_->db->GetIntProperty(handle, rocksdb::DB::Properties::kTotalSstFilesSize, &bytes);
    total += bytes;
  }
  return total;
}

std::optional<std::string> SortedStore::property(Family family, std::string_view name) const {
  std::string value;
  if (!state_->db->GetProperty(state_->handles.at(family), slice(name), &value)) return std::nullopt;
  return value;
}

}  // namespace caddis::store
