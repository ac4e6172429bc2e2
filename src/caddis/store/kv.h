// An ordered key-value store with named families, behind a seam: RocksDB (rocks_kv.h) for real crawls, MemoryKv
// (memory_kv.h) for tests, the simulated world and ThreadSanitizer runs.
//
// Keys sort as unsigned bytes. A batch is applied as a whole or not at all, and survives a power cut once `write` has
// returned with Durability::synced.
#pragma once

#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::store {

// Index into the list of family names with which the store was opened.
using Family = uint32_t;

// Changes that belong together. A plain value; applied by Kv::write.
class Batch {
 public:
  struct Change {
    Family family;
    bool is_delete;
    std::string key;
    std::string value;
  };
  void put(Family family, std::string key, std::string value) {
    changes_.push_back({family, false, std::move(key), std::move(value)});
  }
  void erase(Family family, std::string key) { changes_.push_back({family, true, std::move(key), {}}); }
  // All changes of `other` after those of this one.
  void append(Batch&& other) {
    if (changes_.empty())
      changes_ = std::move(other.changes_);
    else
      changes_.insert(changes_.end(), std::make_move_iterator(other.changes_.begin()),
                      std::make_move_iterator(other.changes_.end()));
    other.changes_.clear();
  }
  bool empty() const { return changes_.empty(); }
  const std::vector<Change>& changes() const { return changes_; }
  void clear() { changes_.clear(); }

 private:
  std::vector<Change> changes_;
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
