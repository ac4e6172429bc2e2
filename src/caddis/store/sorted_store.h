// An ordered store of very many small rows, in RocksDB: the index of captures of a server (cdx/capture_store.h). Unlike Kv,
// which holds the state of one crawl, it is read in both directions, tells what has changed since a place in its log
// (so that another server can follow it), and is packed for its size on disk.
//
// While a MemoryOnly lives (memory_only.h), its thread reads what is in memory. Of a row that is not, RocksDB has a status.
// All methods may be called from any thread, `write` and `apply` from one at a time. A cursor sees the store as it was
// when it was made, belongs to one thread, and must not outlive the store.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/store/kv.h"

namespace rocksdb {
class Env;
}

namespace caddis::store {

struct SortedStoreOptions {
  size_t cache_bytes = 64 << 20;         // blocks, with their indexes and filters
  size_t write_buffer_bytes = 64 << 20;  // of each family that is written; two at most are held
  int max_open_files = 512;
  Duration keep_changes{};  // so long they may be asked for; none: until the store has no need of them
  rocksdb::Env* env = nullptr;
};

class SortedStore {
 public:
  // Opens the store in `path` (made where needed; its files only their owner may read). ErrorCode::conflict where
  // another process has it open, ErrorCode::corrupt where RocksDB finds damage.
  static Result<std::unique_ptr<SortedStore>> open(const std::string& path, const std::vector<std::string>& families,
                                                   const SortedStoreOptions& options = {});
  ~SortedStore();
  SortedStore(const SortedStore&) = delete;
  SortedStore& operator=(const SortedStore&) = delete;

  Result<std::optional<std::string>> get(Family family, std::string_view key) const;
  // All of the batch or nothing.
  Result<void> write(const Batch& batch, Durability durability);

  class Cursor {
   public:
    Cursor(Cursor&&) noexcept;
    Cursor& operator=(Cursor&&) noexcept;
    ~Cursor();
    // The first row at or after `key`; the last one before it.
    void seek(std::string_view key);
    void seek_before(std::string_view key);
    void seek_last();
    void next();
    void previous();
    bool valid() const;
    // Views are valid until the next move.
    std::string_view key() const;
    std::string_view value() const;
    // To be asked after every scan: why `valid` is false.
    Result<void> status() const;

   private:
    friend class SortedStore;
    struct State;
    explicit Cursor(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  Cursor cursor(Family family) const;

  // Writes are numbered; a write takes as many numbers as it has rows. The number of the latest one.
  uint64_t sequence() const;
  struct Change {
    uint64_t sequence = 0;  // of its first row
    std::string bytes;      // what `apply` takes
    uint64_t rows = 0;
  };
  // Writes from `since` on, about `max_bytes` of them and one at least. ErrorCode::not_found where they are kept no
  // more.
  Result<std::vector<Change>> changes(uint64_t since, size_t max_bytes) const;
  // Does a write of another store with the same families, and `besides` with it. ErrorCode::parse where the bytes are
  // none.
  Result<void> apply(std::string_view bytes, const Batch& besides = {});

  // Puts a copy of the store into `folder`, which is not there yet and whose parent is. Files are linked, not copied.
  Result<void> checkpoint(const std::string& folder);
  // Merges all files of all families. Takes long.
  Result<void> compact();
  // Puts into tables what only the log has, so that the log need not be kept.
  Result<void> flush();
  uint64_t estimated_rows(Family family) const;
  uint64_t bytes_on_disk() const;
  // "rocksdb.…"; nothing if there is no such property.
  std::optional<std::string> property(Family family, std::string_view name) const;

 private:
  struct State;
  explicit SortedStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace caddis::store
