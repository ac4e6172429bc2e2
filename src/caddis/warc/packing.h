// How the records of an archive file are packed: not at all, or in units that stand one behind the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/io/gzip.h"
#include "caddis/io/zstd.h"

namespace caddis::warc {

enum class Packing {
  plain,
  gzip,  // a unit is a gzip member
  zstd,  // a unit is a zstd frame, or several of one record
};

constexpr bool is_packed(Packing packing) { return packing != Packing::plain; }
// "gzip-cut", "zstd-cut": codes of findings.
inline std::string packing_code(Packing packing, std::string_view flaw) {
  return std::string(packing == Packing::zstd ? "zstd-" : "gzip-").append(flaw);
}
// "gzip member" and "zstd frame".
constexpr std::string_view unit_name(Packing packing) {
  return packing == Packing::zstd ? "zstd frame" : "gzip member";
}

// True if a unit can begin at the front of `bytes` (at least 4 of them).
inline bool looks_like_unit(Packing packing, std::string_view bytes) {
  return packing == Packing::zstd ? io::looks_like_zstd(bytes) : io::looks_like_gzip(bytes);
}

}  // namespace caddis::warc
