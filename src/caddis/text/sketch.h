// A sketch of a document: the smallest hashes of its words. Two sketches tell how much of one document is in the other,
// whatever their order or length: what a page says that others did not.
//
// Words are runs of at least three letters outside of tags, in any ASCII-compatible charset; digits do not count, so
// pages that differ in dates and numbers only have the same words.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace caddis::text {

// Sorted, without repetition, at most kSketchSize.
using Sketch = std::vector<uint32_t>;
inline constexpr size_t kSketchSize = 128;

Sketch sketch_of(std::string_view html);

// The share of `page` that is in none of `others`, 0 to 1; of a page without words 0.
double novelty(const Sketch& page, const std::vector<Sketch>& others);

}  // namespace caddis::text
