#include "yardsticks/rows.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <deque>
#include <filesystem>
#include <memory>
#include <unordered_map>

#include "caddis/base/random.h"
#include "yardsticks/stopwatch.h"

namespace yardsticks {
namespace {

constexpr uint64_t kFound = 18, kOwn = 13;  // new links of a page that has any
constexpr int kStreams = 7;                 // whose lengths each group writes
constexpr int kTotals = 6;                  // counters of the whole crawl

// As src/caddis/store/rocks_kv.cc sets them.
rocksdb::Options options_of_the_store() {
  constexpr size_t kBuffer = 64 << 20, kCache = 64 << 20;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kCache);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_size = 8 << 10;
  table.cache_index_and_filter_blocks = true;
  table.format_version = 5;
  rocksdb::Options options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.db_write_buffer_size = kBuffer;
  options.write_buffer_size = kBuffer / 2;
  options.max_background_jobs = 2;
  options.level_compaction_dynamic_level_bytes = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

std::string big_endian(uint64_t number, int size) {
  std::string text;
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) text += static_cast<char>(number >> shift);
  return text;
}

class Rows {
 public:
  Rows(const RowOptions& options, rocksdb::DB& db, const std::vector<rocksdb::ColumnFamilyHandle*>& families)
      : options_(options), db_(db), families_(families) {}

  rocksdb::Status commit_group() {
    rocksdb::WriteBatch batch;
    dirty_.clear();
    for (uint64_t page = 0; page < options_.group_pages; ++page) add_page(batch);
    for (const auto& [host, visited] : dirty_) {
      batch.Put(families_[1], queue_key(host), std::string("\1") + big_endian(chunks_, 8) + big_endian(host, 8));
      if (visited)
        batch.Put(families_[3], fmt::format("host:h{}.s{}.test", host, host / 7),
                  big_endian(chunks_, 8) + std::string(24, '\0'));
    }
    for (int i = 0; i < kStreams; ++i)
      batch.Put(families_[0], fmt::format("stream-{}", i),
                fmt::format("archive/WEB-20260102030405678-{:05}.warc.gz {}", i, chunks_));
    for (int i = 0; i < kTotals; ++i) batch.Put(families_[3], fmt::format("total-{}", i), std::to_string(chunks_));
    rocksdb::WriteOptions write;
    write.sync = true;
    return db_.Write(write, &batch);
  }

 private:
  static std::string queue_key(uint64_t host) {
    return big_endian(host % 1024, 2) + fmt::format("http://h{}.s{}.test:18080", host, host / 7);
  }

  void add_page(rocksdb::WriteBatch& batch) {
    const uint64_t host = random_.below(options_.hosts);
    dirty_[host] = true;
    links_ += options_.new_links;
    if (links_ >= static_cast<double>(kFound)) {
      links_ -= static_cast<double>(kFound);
      put_chunk(batch, host, host, kOwn);
      for (uint64_t i = kOwn; i < kFound; ++i) {
        const uint64_t other = random_.below(options_.hosts);
        dirty_.try_emplace(other, false);
        put_chunk(batch, other, host, 1);
      }
    }
    // A page in so many is the last of its chunk.
    served_ += static_cast<double>(kFound - kOwn + 1) / static_cast<double>(kFound);
    if (served_ >= 1 && !waiting_.empty()) {
      served_ -= 1;
      batch.Delete(families_[2], waiting_.front());
      waiting_.pop_front();
    }
  }

  void put_chunk(rocksdb::WriteBatch& batch, uint64_t host, uint64_t via, uint64_t count) {
    std::string key = queue_key(host);
    key += '\0';
    key += '\2';
    key += big_endian(chunks_++, 8);
    std::string chunk = fmt::format("\1http://h{}.s{}.test:18080/d{}/p{}.htmlhttp://h0.s0.test:18080/LLL", via, via / 7,
                                    random_.below(40), random_.below(100'000));
    for (uint64_t i = 0; i < count; ++i)
      chunk += i == 0 ? fmt::format("...http://h{}.s{}.test:18080/d{}/p{}.htmla/@href", host, host / 7,
                                    random_.below(40), random_.below(100'000))
                      : fmt::format("....{}/p{}.html", random_.below(40), random_.below(100'000));
    batch.Put(families_[2], key, chunk);
    waiting_.push_back(std::move(key));
  }

  const RowOptions& options_;
  rocksdb::DB& db_;
  const std::vector<rocksdb::ColumnFamilyHandle*>& families_;
  caddis::SeededRandom random_{1};
  std::unordered_map<uint64_t, bool> dirty_;  // host → a page of it was visited
  std::deque<std::string> waiting_;
  double links_ = 0, served_ = 0;
  uint64_t chunks_ = 0;
};

caddis::Result<double> run(const RowOptions& options, const std::string& path) {
  const rocksdb::Options store = options_of_the_store();
  std::vector<rocksdb::ColumnFamilyDescriptor> named;
  for (const char* name : {"default", "queues", "chunks", "statistics"}) named.emplace_back(name, store);
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DB* opened = nullptr;
  if (const auto status = rocksdb::DB::Open(store, path, named, &families, &opened); !status.ok())
    return caddis::fail(caddis::ErrorCode::io, path + ": " + status.ToString());
  const std::unique_ptr<rocksdb::DB> db(opened);

  Rows rows(options, *db, families);
  const double began = process_seconds();
  uint64_t pages = 0;
  rocksdb::Status status;
  for (constexpr uint64_t kLeast = 5;
       status.ok() && (pages < kLeast * options.group_pages || process_seconds() - began < options.seconds);
       pages += options.group_pages)
    status = rows.commit_group();
  if (status.ok()) status = db->Flush(rocksdb::FlushOptions(), families);
  const double taken = process_seconds() - began;
  for (rocksdb::ColumnFamilyHandle* family : families) db->DestroyColumnFamilyHandle(family);
  if (!status.ok()) return caddis::fail(caddis::ErrorCode::io, path + ": " + status.ToString());
  return taken / static_cast<double>(pages);
}

}  // namespace

caddis::Result<double> measure_rows(const RowOptions& options, const std::string& folder) {
  const std::string path = folder + "/yardstick.db";
  std::filesystem::remove_all(path);
  auto taken = run(options, path);
  std::filesystem::remove_all(path);
  return taken;
}

}  // namespace yardsticks
