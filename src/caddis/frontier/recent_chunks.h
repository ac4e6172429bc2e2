// The chunks of a line that were put lately, in memory: those that the store may not have yet, and those that come
// next. By number; a chunk that is put again takes the place of the one before.
//
// Not thread-safe: part of the frontier.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace caddis::frontier {

using ChunkBytes = std::shared_ptr<const std::string>;

class RecentChunks {
 public:
  static constexpr uint64_t kNotStaged = ~uint64_t{0};
  struct Chunk {
    uint64_t number;
    uint64_t stage;  // that brings it to the store
    ChunkBytes bytes;
  };

  void put(uint64_t number, ChunkBytes bytes) {
    const size_t at = place(number);
    if (at < chunks_.size() && chunks_[at].number == number)
      chunks_[at] = {number, kNotStaged, std::move(bytes)};
    else
      chunks_.insert(chunks_.begin() + static_cast<ptrdiff_t>(at), {number, kNotStaged, std::move(bytes)});
  }
  // Null where it is not here.
  ChunkBytes find(uint64_t number) const {
    const size_t at = place(number);
    return at < chunks_.size() && chunks_[at].number == number ? chunks_[at].bytes : nullptr;
  }
  // Chunks outside [head, tail) are not needed any more.
  void keep(uint64_t head, uint64_t tail) {
    while (!chunks_.empty() && chunks_.back().number >= tail) chunks_.pop_back();
    while (first_ < chunks_.size() && chunks_[first_].number < head) chunks_[first_++].bytes.reset();
    // Moved up now and then: a queue with thousands of new chunks loses them one by one.
    if (first_ * 2 < chunks_.size()) return;
    chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<ptrdiff_t>(std::min(first_, chunks_.size())));
    first_ = 0;
  }
  // Leaves those that are not in the store when `stage` is, and a few that follow `head`.
  void trim(uint64_t stage, uint64_t head) {
    constexpr uint64_t kAhead = 4;
    constexpr size_t kBytesAhead = 1000;
    size_t left = 0, bytes = 0;
    uint64_t next = head;
    for (size_t i = first_; i < chunks_.size(); ++i) {
      const Chunk& chunk = chunks_[i];
      if (chunk.number == next && next < head + kAhead) {
        ++next;
        bytes += chunk.bytes->size();
        if (chunk.stage <= stage && bytes > kBytesAhead) continue;
      } else if (chunk.stage <= stage) {
        continue;
      }
      if (left != i) chunks_[left] = std::move(chunks_[i]);
      ++left;
    }
    chunks_.erase(chunks_.begin() + static_cast<ptrdiff_t>(left), chunks_.end());
    first_ = 0;
    if (chunks_.empty()) chunks_.shrink_to_fit();
  }
  // Calls `see` for each, which may set its stage.
  template <typename See>
  void each(const See& see) {
    for (size_t i = first_; i < chunks_.size(); ++i) see(chunks_[i]);
  }

 private:
  // The index of the first that is not before it.
  size_t place(uint64_t number) const {
    if (first_ >= chunks_.size() || chunks_.back().number < number) return chunks_.size();
    const auto begin = chunks_.begin() + static_cast<ptrdiff_t>(first_);
    const auto at = std::ranges::lower_bound(begin, chunks_.end(), number, {}, &Chunk::number);
    return static_cast<size_t>(at - chunks_.begin());
  }

  std::vector<Chunk> chunks_;  // from `first_` on
  size_t first_ = 0;
};

}  // namespace caddis::frontier
