// Zeroed 64-bit words straight from the system, in huge pages where they are many: a random access costs a TLB miss
// less, and what is dropped is free at once. For the tables and filters of the seen-set. Ends the process where the
// system has no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace caddis::store {

class ZeroedWords {
 public:
  ZeroedWords() = default;
  explicit ZeroedWords(uint64_t count);
  ZeroedWords(ZeroedWords&& other) noexcept
      : words_(std::exchange(other.words_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  ZeroedWords& operator=(ZeroedWords&& other) noexcept {
    std::swap(words_, other.words_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~ZeroedWords();

  uint64_t* data() const { return words_; }
  uint64_t count() const { return count_; }
  uint64_t bytes() const { return count_ * sizeof(uint64_t); }

 private:
  uint64_t* words_ = nullptr;
  uint64_t count_ = 0;
};

}  // namespace caddis::store
