// Small tools of the extractors that read texts. Internal to extract; pure, any thread.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace caddis::extract {

// Takes the first line off `rest`, and returns it without its end: LF, CRLF or CR.
inline std::string_view take_line(std::string_view& rest) {
  const size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end);
  rest.remove_prefix(rest.starts_with("\r\n") ? 2 : rest.empty() ? 0 : 1);
  return line;
}

template <size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace caddis::extract
