// How much cash each URL has, for the on-line page importance of importance.h: a hash table of fixed size that keeps
// those that have most.
//
// Eight entries share a cache line. Where a ninth is wanted there, all of the line pay what it brings until one has
// nothing left and makes way (Misra and Gries 1982, within each line): so a URL has at most what it was given, and
// lacks at most the ninth part of what its line was given, on average all cash divided by 9/8 of the entries. As long
// as URLs are fewer than about half of the entries hardly any lacks anything. Another URL of the line is taken for it
// with a chance of 2 to the power of -29.
//
// Keys are hashes that pages cannot choose. Not thread-safe.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace caddis::frontier {

class CashTable {
 public:
  // Takes so many bytes, at least one line.
  explicit CashTable(uint64_t bytes);

  double of(uint64_t key) const;
  void add(uint64_t key, double cash);
  // Returns what it has; it has nothing afterwards.
  double take(uint64_t key);
  uint64_t entries() const { return lines_ * kWays; }

 private:
  static constexpr unsigned kWays = 8;
  struct Entry {
    uint32_t tag = 0;
    float cash = 0;  // 0: free
  };
  struct Line {
    Entry entries[kWays];
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  Line& line_of(uint64_t key) const;

  uint64_t lines_;
  std::unique_ptr<Line[], Free> table_;
};

}  // namespace caddis::frontier
