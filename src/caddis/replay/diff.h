// Differences between two rows of lines (or words). Lines that both have once are taken as anchors (patience diff); what
// lies between them is compared by Myers' algorithm, within a bound, beyond which it counts as replaced. Pure; time and
// memory are bounded by the number of lines, nearly linear.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::replay {

struct Edit {
  enum class Kind { same, removed, added };
  Kind kind = Kind::same;
  size_t old_at = 0, new_at = 0;  // of the item; in a row that does not have it, where it would stand
};
std::vector<Edit> diff(std::span<const std::string_view> old_items, std::span<const std::string_view> new_items);

// Words and what stands between them, one by one, in a line.
std::vector<std::string_view> words_of(std::string_view line);

// Two lines as HTML, with what only one has in <del> and <ins>.
struct MarkedLines {
  std::string old_html, new_html;
};
MarkedLines mark_words(std::string_view old_line, std::string_view new_line);

}  // namespace caddis::replay
