// The row of the key-value store that says which runs the seen-set consists of, and how much of the fingerprint log
// they hold (docs/formats/seen.md).
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
};

std::string encode_seen_state(const SeenState& state);
Result<SeenState> decode_seen_state(std::string_view bytes);

}  // namespace caddis::store
