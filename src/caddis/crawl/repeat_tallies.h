// How many payloads were looked up, and how many of them repeat a capture. Rows of the statistics:
//
//   d<name>   answers and bytes: "looked-up", "url", "canonical", "digest", "unchanged"
//
// Prerequisites are among both. Belongs to the crawl's loop.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/dedup/original.h"
#include "caddis/store/kv.h"
#include "caddis/visit/log_entry.h"

namespace caddis::crawl {

struct Tally {
  uint64_t urls = 0, bytes = 0;
  void add(uint64_t size) {
    ++urls;
    bytes += size;
  }
};

class RepeatTallies {
 public:
  static constexpr char kRow = 'd';

  void count(const visit::LogEntry& entry);
  Tally looked_up() const { return tallies_[kLookedUp]; }
  // Answers that repeat a capture that is like them.
  Tally repeated(dedup::Likeness likeness) const { return tallies_[static_cast<size_t>(likeness)]; }
  Tally repeated() const;
  // Answers that nothing has changed; the bytes are theirs.
  Tally unchanged() const { return tallies_[kUnchanged]; }

  void stage(store::Batch& batch, store::Family family);
  void load(std::string_view name, std::string_view value);

 private:
  static constexpr size_t kLookedUp = 3, kUnchanged = 4;  // behind the likenesses
  std::array<Tally, 5> tallies_;
  bool is_dirty_ = false;
};

}  // namespace caddis::crawl
