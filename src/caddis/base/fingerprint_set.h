// Strings that are known, by fingerprints of 64 bits: ten bytes each, whatever their length. Among ten million a string
// that is none of them is taken for one with a probability of 10^-12; the key of the fingerprints is drawn for each
// process, so that nobody can make such a string.
//
// Any thread may insert and ask at the same time. Asking takes no lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace caddis {

class FingerprintSet {
 public:
  FingerprintSet();
  ~FingerprintSet();

  // So many more are to come: there is room for them at once. Without it the set grows by itself, and keeps the memory
  // of its former sizes, since somebody may be reading there.
  void reserve(size_t more);
  // Whether it was not there.
  bool insert(std::string_view text);
  bool contains(std::string_view text) const;
  size_t size() const { return size_.load(std::memory_order_relaxed); }
  // All its memory.
  size_t bytes() const;

 private:
  struct Table;
  void grow_to(size_t slots);

  std::atomic<const Table*> table_ = nullptr;
  std::atomic<size_t> size_ = 0;
  mutable std::mutex mutex_;                    // of whoever inserts
  std::vector<std::unique_ptr<Table>> tables_;  // the last one is in use
};

}  // namespace caddis
