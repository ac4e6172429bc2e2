#include "caddis/engine/byte_range.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::engine {

std::optional<BytePart> part_of(std::string_view range, uint64_t file_size) {
  const BytePart whole{.begin = 0, .size = file_size};
  constexpr std::string_view kUnit = "bytes=";
  if (!range.starts_with(kUnit)) return whole;
  range.remove_prefix(kUnit.size());
  const size_t dash = range.find('-');
  if (dash == std::string_view::npos || range.contains(',')) return whole;
  const std::string_view first_text = trim(range.substr(0, dash)), last_text = trim(range.substr(dash + 1));
  const auto first = parse_int(first_text), last = parse_int(last_text);
  if ((!first && !first_text.empty()) || (!last && !last_text.empty()) || (!first && !last)) return whole;
  if ((first && *first < 0) || (last && *last < 0)) return whole;
  if (!first) {  // the last bytes
    const uint64_t size = std::min(static_cast<uint64_t>(*last), file_size);
    if (size == 0) return std::nullopt;
    return BytePart{.begin = file_size - size, .size = size, .is_whole = false};
  }
  const auto begin = static_cast<uint64_t>(*first);
  if (last && *last < *first) return whole;
  if (begin >= file_size) return std::nullopt;
  const uint64_t end = last ? std::min(static_cast<uint64_t>(*last) + 1, file_size) : file_size;
  return BytePart{.begin = begin, .size = end - begin, .is_whole = false};
}

}  // namespace caddis::engine
