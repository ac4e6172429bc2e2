// An ordered key-value store with named families, behind a seam: RocksDB (rocks_kv.h) for real crawls, MemoryKv
// (memory_kv.h) for tests, the simulated world and ThreadSanitizer runs.
//
// Keys sort as unsigned bytes. A batch is applied as a whole or not at all, and survives a power cut once `write` has
// returned with Durability::synced.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::store {

// Index into the list of family names with which the store was opened.
using Family = uint32_t;

// Changes that belong together, in one piece of memory. A plain value; applied by Kv::write. Where a key is changed
// twice, the later change holds.
class Batch {
 public:
  // Views are good until the batch changes.
  struct Change {
    Family family;
    bool is_delete;
    std::string_view key;
    std::string_view value;
  };
  void put(Family family, std::string_view key, std::string_view value) { add(family, false, key, value); }
  void erase(Family family, std::string_view key) { add(family, true, key, {}); }
  // All changes of `other` after those of this one.
  void append(Batch&& other) {
    if (records_.empty()) {
      *this = std::exchange(other, {});
      return;
    }
    for (Record record : other.records_) {
      record.offset += bytes_.size();
      records_.push_back(record);
    }
    bytes_ += other.bytes_;
    other.clear();
  }
  bool empty() const { return records_.empty(); }
  size_t size() const { return records_.size(); }
  // Of keys and values together.
  size_t bytes() const { return bytes_.size(); }
  Change change(size_t index) const {
    const Record& record = records_[index];
    const std::string_view bytes = std::string_view(bytes_).substr(record.offset);
    return {record.family, record.is_delete, bytes.substr(0, record.key_size),
            bytes.substr(record.key_size, record.value_size)};
  }
  auto changes() const {
    return std::views::iota(size_t{0}, size()) | std::views::transform([this](size_t index) { return change(index); });
  }
  void clear() {
    records_.clear();
    bytes_.clear();
  }

 private:
  struct Record {
    size_t offset;
    uint32_t key_size, value_size;
    Family family;
    bool is_delete;
  };
  void add(Family family, bool is_delete, std::string_view key, std::string_view value) {
    records_.push_back(
        {bytes_.size(), static_cast<uint32_t>(key.size()), static_cast<uint32_t>(value.size()), family, is_delete});
    bytes_.append(key).append(value);
  }

  std::vector<Record> records_;
  std::string bytes_;
};

enum class Durability { synced, lazy };

// A forward iterator over one family; sees the store as it was when it was made. Not thread-safe.
class Cursor {
 public:
  virtual ~Cursor() = default;
  // Moves to the first key at or after `key`.
  virtual void seek(std::string_view key) = 0;
  virtual bool valid() const = 0;
  virtual void next() = 0;
  // Views are valid until the next move.
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  // Why `valid` is false: nothing at the end of the family, an error where the store could not be read. To be asked
  // after every scan.
  virtual Result<void> status() const { return {}; }
};

// `get`, `cursor` may be called from any thread; `write` from one at a time.
class Kv {
 public:
  virtual ~Kv() = default;
  virtual Result<std::optional<std::string>> get(Family family, std::string_view key) = 0;
  virtual Result<void> write(const Batch& batch, Durability durability) = 0;
  virtual std::unique_ptr<Cursor> cursor(Family family) = 0;
  // Puts a copy of the store, as it is now, into `folder`, which is not there yet and whose parent is: durable when it
  // returns, and opened like any other store. Files that never change are linked, not copied. Not while `write` runs.
  virtual Result<void> checkpoint(const std::string& folder) = 0;
};

// Opens (creating it where needed) the store in a folder.
using KvOpener =
    std::function<Result<std::unique_ptr<Kv>>(const std::string& path, const std::vector<std::string>& families)>;

}  // namespace caddis::store
