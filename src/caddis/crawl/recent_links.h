// The links that a lane has handed over lately: most links of a page were on the page before, and what the committer
// has got already needs no key, no scope and no way through the frontier again (design: the recent-links cache).
//
// A link is known by a 64-bit mark, a keyed hash of its URL. Only accepted links may be added, and only with the visit
// that carries them to the committer: visits of a lane are committed in the order in which they are handed over, so
// whoever leaves a known link out is committed after it. What is forgotten costs time, nothing else.
//
// Belongs to one lane. Memory: 8 bytes a slot, 2 MB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "caddis/base/hash.h"
#include "caddis/base/random.h"

namespace caddis::crawl {

class RecentLinks {
 public:
  explicit RecentLinks(Random& random) : k0_(random.next()), k1_(random.next()), slots_(kSlots) {}

  uint64_t mark(std::string_view url) const { return siphash(url, k0_, k1_) | 1; }  // never 0: a free slot
  // Fetches the place of a mark that will be asked for: the table is larger than the caches.
  void prefetch(uint64_t mark) const { __builtin_prefetch(&slots_[slot(mark)]); }
  bool has(uint64_t mark) const { return slots_[slot(mark)] == mark; }
  void add(std::span<const uint64_t> marks) {
    for (const uint64_t mark : marks) slots_[slot(mark)] = mark;
  }

 private:
  static constexpr size_t kSlots = 1 << 18;
  static size_t slot(uint64_t mark) { return mark >> 46; }

  uint64_t k0_, k1_;
  std::vector<uint64_t> slots_;
};

}  // namespace caddis::crawl
