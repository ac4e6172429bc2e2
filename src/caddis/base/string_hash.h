// A hash for tables whose keys are strings, to be looked up by views of them. Only in memory: what is written to disk is
// hashed by base/hash.h.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace caddis {

struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace caddis
