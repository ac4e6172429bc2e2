#include "caddis/scope/hops.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::scope {

std::string_view hop_letters(std::string_view hop_path) {
  const size_t plus = hop_path.find('+');
  return plus == hop_path.npos ? hop_path : hop_path.substr(plus + 1);
}

int64_t count_hops(std::string_view hop_path) {
  const std::string_view letters = hop_letters(hop_path);
  const auto before = letters.size() == hop_path.size()
                          ? 0
                          : parse_int(hop_path.substr(0, hop_path.size() - letters.size() - 1)).value_or(0);
  return before + static_cast<int64_t>(letters.size());
}

bool is_hop_path(std::string_view text) {
  const std::string_view letters = hop_letters(text);
  const std::string_view count = text.substr(0, text.size() - letters.size());
  const bool is_counted =
      count.empty() || (count.size() > 1 && std::ranges::all_of(count.substr(0, count.size() - 1), is_digit));
  return is_counted && letters.find_first_not_of("LSMREXIP") == letters.npos;
}

int64_t count_redirects(std::string_view hop_path) {
  const std::string_view letters = hop_letters(hop_path);
  const size_t other = letters.find_last_not_of('R');
  // Letters that a long path does not show count as redirects, since all behind them are.
  return other == letters.npos ? count_hops(hop_path) : static_cast<int64_t>(letters.size() - other - 1);
}

Transclusion count_transclusion(std::string_view hop_path) {
  Transclusion run;
  const std::string_view letters = hop_letters(hop_path);
  for (size_t i = letters.size(); i > 0; --i) {
    const char hop = letters[i - 1];
    if (hop == 'L' || hop == 'S' || hop == 'M') break;
    ++run.hops;
    if (hop != 'R') ++run.transitive;
    if (hop == 'X') ++run.speculative;
  }
  return run;
}

}  // namespace caddis::scope
