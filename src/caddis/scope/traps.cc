#include "caddis/scope/traps.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace caddis::scope {
namespace {

constexpr size_t kMaxSegments = 64;

// Offsets behind slashes; segment i is [starts[i], starts[i+1]).
struct Segments {
  std::array<uint32_t, kMaxSegments + 1> starts;
  size_t count = 0;

  explicit Segments(std::string_view path) {
    size_t seen = 0;
    for (size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
      starts[seen++ % starts.size()] = static_cast<uint32_t>(at + 1);
    }
    if (seen > starts.size()) {
      std::ranges::rotate(starts, starts.begin() + static_cast<std::ptrdiff_t>(seen % starts.size()));
      seen = starts.size();
    }
    count = seen == 0 ? 0 : seen - 1;
  }
  std::string_view get(std::string_view path, size_t i) const {
    return path.substr(starts[i], starts[i + 1] - starts[i]);
  }
};

}  // namespace

// Eight bytes at a time, since it is asked for every link: a byte of `slashes` is 0x80 if it was a slash, otherwise 0.
int64_t path_depth(std::string_view path) {
  constexpr uint64_t kOnes = 0x0101010101010101, kLow = 0x7f * kOnes, kSlashes = '/' * kOnes;
  int64_t depth = 0;
  for (; path.size() >= sizeof(uint64_t); path.remove_prefix(sizeof(uint64_t))) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, path.data(), sizeof bytes);
    bytes ^= kSlashes;
    const uint64_t slashes = ~(((bytes & kLow) + kLow) | bytes | kLow);
    depth += static_cast<int64_t>((slashes >> 7) * kOnes >> 56);
  }
  return depth + std::ranges::count(path, '/');
}

std::string_view repeated_segments(std::string_view path, int64_t max_repetitions) {
  const Segments segments(path);
  const auto times = static_cast<size_t>(std::min<int64_t>(max_repetitions, kMaxSegments)) + 1;
  for (size_t period = 1; period * times <= segments.count; ++period) {
    // `same` segments in a row that equal the one a period before: the run stands 1 + same / period times.
    size_t same = 0;
    for (size_t i = period; i < segments.count; ++i) {
      same = segments.get(path, i) == segments.get(path, i - period) ? same + 1 : 0;
      if (same >= period * (times - 1)) {
        return path.substr(segments.starts[i + 1 - period], segments.starts[i + 1] - segments.starts[i + 1 - period]);
      }
    }
  }
  return {};
}

}  // namespace caddis::scope
