#include "caddis/scope/numbers.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::scope {
namespace {

Result<int64_t> parse_number(std::string_view text) {
  text = trim(text);
  if (const auto number = parse_int(text)) return *number;
  if (auto size = parse_size(text)) return int64_t{*size};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no number: write for example '> 20', '<= 5', '404' or '500..599'", text));
}

}  // namespace

Result<NumberSet::Range> NumberSet::parse_range(std::string_view word) {
  if (const size_t dots = word.find(".."); dots != word.npos) {
    TRY(const int64_t from, parse_number(word.substr(0, dots)));
    TRY(const int64_t to, parse_number(word.substr(dots + 2)));
    if (from > to) return fail(ErrorCode::config, fmt::format("'{}' holds no number", word));
    return Range{from, to};
  }
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  const auto bound = [&](size_t length) { return parse_number(word.substr(length)); };
  if (word.starts_with(">=")) {
    TRY(const int64_t least, bound(2));
    return Range{least, kGreatest};
  }
  if (word.starts_with("<=")) {
    TRY(const int64_t most, bound(2));
    return Range{kLeast, most};
  }
  if (word.starts_with('>')) {
    TRY(const int64_t below, bound(1));
    return Range{below == kGreatest ? below : below + 1, kGreatest};
  }
  if (word.starts_with('<')) {
    TRY(const int64_t above, bound(1));
    return Range{kLeast, above == kLeast ? above : above - 1};
  }
  TRY(const int64_t number, parse_number(word.starts_with('=') ? word.substr(1) : word));
  return Range{number, number};
}

Result<NumberSet> NumberSet::parse(std::string_view text) {
  NumberSet set;
  std::string_view comparison;  // one that stands apart from its number
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (comparison.empty() && word.find_first_not_of("<>=") == word.npos) {
      comparison = word;
      continue;
    }
    TRY(const Range range, parse_range(std::string(comparison) + std::string(word)));
    set.ranges_.push_back(range);
    comparison = {};
  }
  if (set.ranges_.empty() || !comparison.empty()) {
    TRY([[maybe_unused]] const int64_t none, parse_number(comparison));
  }
  const bool is_open = std::ranges::any_of(set.ranges_, [](const Range& range) {
    return range.from == std::numeric_limits<int64_t>::min() || range.to == kGreatest;
  });
  if (is_open && set.ranges_.size() > 1)
    return fail(ErrorCode::config, fmt::format("'{}': of '<' and '>' one can be said; write N..M for a range", text));
  return set;
}

bool NumberSet::contains(int64_t number) const {
  return std::ranges::any_of(ranges_, [&](const Range& range) { return number >= range.from && number <= range.to; });
}

}  // namespace caddis::scope
