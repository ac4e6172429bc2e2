// The links that a lane has handed over lately: most links of a page were on the page before, and what the committer
// has got already needs no key, no scope and no way through the frontier again (design: the recent-links cache).
//
// A lane has another for links that are rejected and on record (logs.rejected-links): what was told lately is not told
// again.
//
// A link is known by its mark, a keyed hash of its URL (frontier::Identity::url_hash). Links may be added only with the
// visit that carries them to the committer: visits of a lane are committed in the order in which they are handed over,
// so whoever leaves a known link out is committed after it. What is forgotten costs time, nothing else.
//
// Belongs to one lane. Memory: 8 bytes a slot, 2 MB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace caddis::visit {

class RecentLinks {
 public:
  RecentLinks() : slots_(kSlots) {}

  // Fetches the place of a mark that will be asked for: the table is larger than the caches.
  void prefetch(uint64_t mark) const { __builtin_prefetch(&slots_[slot(mark)]); }
  bool has(uint64_t mark) const { return slots_[slot(mark)] == mark; }
  void add(std::span<const uint64_t> marks) {
    for (const uint64_t mark : marks) slots_[slot(mark)] = mark;
  }

 private:
  static constexpr size_t kSlots = 1 << 18;
  static size_t slot(uint64_t mark) { return mark >> 46; }

  std::vector<uint64_t> slots_;  // 0: free
};

}  // namespace caddis::visit
