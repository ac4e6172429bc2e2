#include "caddis/cdx/flat_json.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::cdx {
namespace {

// Four hexadecimal digits at the front of `text`, or -1.
int take_hex4(std::string_view& text) {
  if (text.size() < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  text.remove_prefix(4);
  return value;
}

}  // namespace

FlatJson::FlatJson(std::string_view text) : rest_(text) {
  skip_blanks();
  if (!rest_.starts_with('{')) {
    fail("no '{' where the JSON object should begin");
    return;
  }
  rest_.remove_prefix(1);
}

bool FlatJson::fail(std::string_view why) {
  error_ = why;
  ended_ = true;
  return false;
}

void FlatJson::skip_blanks() {
  while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
}

bool FlatJson::next() {
  if (ended_) return false;
  skip_blanks();
  if (rest_.starts_with('}')) {
    rest_.remove_prefix(1);
    skip_blanks();
    if (!rest_.empty()) return fail("text behind the JSON object");
    ended_ = true;
    return false;
  }
  if (!first_) {
    if (!rest_.starts_with(',')) return fail("no ',' between members of the JSON object");
    rest_.remove_prefix(1);
    skip_blanks();
  }
  first_ = false;
  if (!take_string(name_, name_storage_)) return fail("no member name in the JSON object");
  skip_blanks();
  if (!rest_.starts_with(':')) return fail("no ':' behind a member name of the JSON object");
  rest_.remove_prefix(1);
  skip_blanks();
  return take_value() || fail("a value of the JSON object is cut or malformed");
}

bool FlatJson::take_value() {
  const char* const start = rest_.data();
  text_ = {};
  if (rest_.empty()) return false;
  if (rest_.front() == '"') {
    if (!take_string(text_, text_storage_)) return false;
  } else if (rest_.front() == '{' || rest_.front() == '[') {
    if (!skip_nested()) return false;
  } else {
    const size_t end = std::min(rest_.find_first_of(",} \t\r\n"), rest_.size());
    if (end == 0) return false;
    rest_.remove_prefix(end);
  }
  raw_ = std::string_view(start, static_cast<size_t>(rest_.data() - start));
  return true;
}

bool FlatJson::skip_nested() {
  size_t depth = 0;
  std::string_view unused;
  std::string storage;
  while (!rest_.empty()) {
    const char c = rest_.front();
    if (c == '"') {
      if (!take_string(unused, storage)) return false;
      continue;
    }
    rest_.remove_prefix(1);
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return true;
  }
  return false;
}

bool FlatJson::take_string(std::string_view& value, std::string& storage) {
  if (!rest_.starts_with('"')) return false;
  rest_.remove_prefix(1);
  const size_t plain = rest_.find_first_of("\"\\");
  if (plain == std::string_view::npos) return false;
  if (rest_[plain] == '"') {
    value = rest_.substr(0, plain);
    rest_.remove_prefix(plain + 1);
    return true;
  }
  storage.clear();
  for (;;) {
    const size_t run = rest_.find_first_of("\"\\");
    if (run == std::string_view::npos) return false;
    storage.append(rest_.substr(0, run));
    const bool closed = rest_[run] == '"';
    rest_.remove_prefix(run + 1);
    if (closed) break;
    if (!take_escape(storage)) return false;
  }
  value = storage;
  return true;
}

bool FlatJson::take_escape(std::string& out) {
  if (rest_.empty()) return false;
  const char c = rest_.front();
  rest_.remove_prefix(1);
  switch (c) {
    case '"':
    case '\\':
    case '/':
      out += c;
      return true;
    case 'b':
      out += '\b';
      return true;
    case 'f':
      out += '\f';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 'r':
      out += '\r';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'u':
      break;
    default:
      return false;
  }
  const int unit = take_hex4(rest_);
  if (unit < 0) return false;
  char32_t code_point = static_cast<char32_t>(unit);
  if (unit >= 0xD800 && unit < 0xDC00 && rest_.starts_with("\\u")) {
    std::string_view ahead = rest_.substr(2);
    const int low = take_hex4(ahead);
    if (low >= 0xDC00 && low < 0xE000) {
      code_point = 0x10000 + ((static_cast<char32_t>(unit) - 0xD800) << 10) + (static_cast<char32_t>(low) - 0xDC00);
      rest_ = ahead;
    }
  }
  append_utf8(out, code_point);
  return true;
}

}  // namespace caddis::cdx
