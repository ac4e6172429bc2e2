// The row of the key-value store that says which runs the seen-set consists of, and how much of the fingerprint log
// they hold (docs/formats/seen.md).
//
// Besides the present state it may name former ones, until nothing that a disk may still lose is younger than the
// present one: should its runs turn out to be damaged, a former one is gone on with, and what the log has behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::store {

struct SeenState {
  struct Run {
    uint64_t number = 0;
    uint64_t values = 0;
    bool operator==(const Run&) const = default;
  };
  uint64_t rows = 0;      // of the log, from its beginning, are in the runs
  bool has_zero = false;  // the fingerprint 0, which no run holds, is among them
  std::vector<Run> runs;  // the oldest first
  bool operator==(const SeenState&) const = default;
};

// The present state, then former ones, the latest first; at least one.
std::string encode_seen_states(const std::vector<SeenState>& states);
Result<std::vector<SeenState>> decode_seen_states(std::string_view bytes);

}  // namespace caddis::store
