#include "caddis/heritrix/java_properties.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::heritrix {
namespace {

constexpr std::string_view kBlanks = " \t\f";

// Reads "\uXXXX" whose digits begin at `at`; false if they are none.
bool append_unicode(std::string& out, std::string_view text, size_t at) {
  if (at + 4 > text.size()) return false;
  unsigned code = 0;
  for (const char c : text.substr(at, 4)) {
    if (hex_value(c) < 0) return false;
    code = code * 16 + static_cast<unsigned>(hex_value(c));
  }
  append_utf8(out, code);  // halves of a pair are U+FFFD
  return true;
}

std::string without_escapes(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    if (c == 'u' && append_unicode(out, text, i + 1))
      i += 4;
    else if (const size_t known = std::string_view("tnrf").find(c); known != std::string_view::npos)
      out += "\t\n\r\f"[known];
    else
      out += c;
  }
  return out;
}

bool ends_in_odd_backslashes(std::string_view line) {
  const size_t last = line.find_last_not_of('\\');
  return (line.size() - (last == std::string_view::npos ? 0 : last + 1)) % 2 == 1;
}

std::string_view without_blanks_before(std::string_view line) {
  const size_t first = line.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

// The key ends at the first "=", ":" or blank that is not escaped.
size_t end_of_key(std::string_view line) {
  size_t i = 0;
  for (; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '=' || line[i] == ':' || kBlanks.contains(line[i]))
      break;
  }
  return std::min(i, line.size());
}

}  // namespace

std::vector<JavaProperty> read_java_properties(std::string_view text) {
  std::vector<JavaProperty> found;
  const auto add = [&found](std::string_view whole, size_t line) {
    const size_t end = end_of_key(whole);
    std::string_view value = without_blanks_before(whole.substr(end));
    if (value.starts_with('=') || value.starts_with(':')) value = without_blanks_before(value.substr(1));
    found.push_back({without_escapes(whole.substr(0, end)), without_escapes(value), line});
  };
  std::string logical;
  size_t number = 0, first_line = 0;
  bool is_continued = false;
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_blanks_before(line);
    if (!is_continued) {
      first_line = number;
      logical.clear();
    }
    ++number;
    if (!is_continued && (line.empty() || line.starts_with('#') || line.starts_with('!'))) continue;
    is_continued = ends_in_odd_backslashes(line);
    logical += is_continued ? line.substr(0, line.size() - 1) : line;
    if (is_continued) continue;
    add(logical, first_line);
  }
  if (is_continued) add(logical, first_line);
  return found;
}

}  // namespace caddis::heritrix
