// The part of a file that a request asks for (RFC 9110 section 14). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace caddis::engine {

struct BytePart {
  uint64_t begin = 0, size = 0;
  bool is_whole = true;  // nothing else was asked for, or in a way that is not understood
};

// `range` is the value of the field Range. Nothing: no byte of the file is in it (416).
std::optional<BytePart> part_of(std::string_view range, uint64_t file_size);

}  // namespace caddis::engine
