// One cell of CSV (RFC 4180), which no spreadsheet takes for a formula.
#pragma once

#include <string>
#include <string_view>

namespace caddis {

// Begun with an apostrophe if a spreadsheet would work it out ("=1+1", "@SUM(A1)"); a sign alone ("-") is none.
inline std::string csv_cell(std::string_view text) {
  const bool is_formula = text.size() > 1 && std::string_view("=+-@\t\r\n").contains(text.front());
  std::string cell = is_formula ? "'" : "";
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return cell.append(text);
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return '"' + cell + '"';
}

}  // namespace caddis
