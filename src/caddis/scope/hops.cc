#include "caddis/scope/hops.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::scope {

std::string_view hop_letters(std::string_view hop_path) {
  // A count stands in front of a plus: without a digit there is none.
  if (hop_path.empty() || hop_path.front() > '9') return hop_path;
  const size_t plus = hop_path.find('+');
  return plus == hop_path.npos ? hop_path : hop_path.substr(plus + 1);
}

int64_t count_hops(std::string_view hop_path) {
  const std::string_view letters = hop_letters(hop_path);
  if (letters.size() == hop_path.size()) return static_cast<int64_t>(letters.size());
  const auto before = parse_int(hop_path.substr(0, hop_path.size() - letters.size() - 1)).value_or(0);
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
  size_t rest = hop_path.size();
  while (rest > 0 && hop_path[rest - 1] == 'R') --rest;
  // Letters that a long path does not show count as redirects, since all behind them are.
  if (rest == 0 || hop_path[rest - 1] == '+') return count_hops(hop_path);
  return static_cast<int64_t>(hop_path.size() - rest);
}

Transclusion count_transclusion(std::string_view hop_path) {
  Transclusion run;
  for (size_t i = hop_path.size(); i > 0; --i) {
    const char hop = hop_path[i - 1];
    if (hop == 'L' || hop == 'S' || hop == 'M' || hop == '+') break;
    ++run.hops;
    if (hop != 'R') ++run.transitive;
    if (hop == 'X') ++run.speculative;
  }
  return run;
}

}  // namespace caddis::scope
