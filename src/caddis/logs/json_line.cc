#include "caddis/logs/json_line.h"

#include <algorithm>

#include "caddis/base/fetch_status.h"
#include "caddis/base/status_word.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::logs {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Reads JSON from the front of `rest`. Each function returns false where it does not find what it looks for.
struct Scanner {
  std::string_view rest;

  void skip_blanks() {
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  }
  bool take(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  // With its quotes.
  bool take_string(std::string_view& into) {
    if (!rest.starts_with('"')) return false;
    for (size_t at = 1;;) {
      at = rest.find('"', at);
      if (at == std::string_view::npos) return false;
      size_t slashes = 0;
      while (rest[at - 1 - slashes] == '\\') ++slashes;  // ends at the opening quote at the latest
      ++at;
      if (slashes % 2 == 0) {
        into = rest.substr(0, at);
        rest.remove_prefix(at);
        return true;
      }
    }
  }
  // A number or a word.
  bool take_plain(std::string_view& into) {
    size_t end = 0;
    while (end < rest.size() && !is_blank(rest[end]) && !std::string_view(",:]}[{\"").contains(rest[end])) ++end;
    into = rest.substr(0, end);
    rest.remove_prefix(end);
    return end > 0;
  }
  // An array or an object, whose inside is only looked at for its end.
  bool take_nested(std::string_view& into) {
    const std::string_view begin = rest;
    std::string open;
    std::string_view ignored;
    do {
      if (rest.empty() || open.size() > JsonLine::kMaxDepth) return false;
      const char c = rest.front();
      if (c == '"') {
        if (!take_string(ignored)) return false;
        continue;
      }
      if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
      if (c == '}' || c == ']') {
        if (open.back() != c) return false;
        open.pop_back();
      }
      rest.remove_prefix(1);
    } while (!open.empty());
    into = begin.substr(0, begin.size() - rest.size());
    return true;
  }
  bool take_value(std::string_view& into) {
    if (rest.empty()) return false;
    if (rest.front() == '"') return take_string(into);
    if (rest.front() == '{' || rest.front() == '[') return take_nested(into);
    return take_plain(into);
  }
};

// Four hexadecimal digits.
std::optional<uint32_t> unit_of(std::string_view digits) {
  constexpr size_t kDigits = 4;
  if (digits.size() < kDigits) return std::nullopt;
  uint32_t value = 0;
  for (const char c : digits.substr(0, kDigits)) {
    if (hex_value(c) < 0) return std::nullopt;
    value = value * 16 + static_cast<uint32_t>(hex_value(c));
  }
  return value;
}

// "\u…" of one or two units. Halves of a pair that stand alone are U+FFFD.
size_t append_escaped_unit(std::string& out, std::string_view rest) {
  constexpr size_t kOne = 6, kPair = 12;
  constexpr uint32_t kReplacement = 0xFFFD;
  const auto unit = unit_of(rest.substr(2));
  if (!unit) return out += rest.substr(0, 2), 2;
  if (*unit < 0xD800 || *unit > 0xDFFF) return append_utf8(out, *unit), kOne;
  const auto low =
      *unit < 0xDC00 && rest.substr(kOne).starts_with("\\u") ? unit_of(rest.substr(kOne + 2)) : std::nullopt;
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return append_utf8(out, kReplacement), kOne;
  append_utf8(out, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
  return kPair;
}

void append_unescaped(std::string& out, std::string_view text) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  while (!text.empty()) {
    const size_t slash = std::min(text.find('\\'), text.size());
    out += text.substr(0, slash);
    text.remove_prefix(slash);
    if (text.size() < 2) return;
    if (text[1] == 'u') {
      text.remove_prefix(append_escaped_unit(out, text));
      continue;
    }
    const size_t letter = kLetters.find(text[1]);
    if (letter == std::string_view::npos)
      out += text.substr(0, 2);
    else
      out += kMeant[letter];
    text.remove_prefix(2);
  }
}

}  // namespace

bool JsonLine::parse(std::string_view text) {
  members_.clear();
  Scanner scan{text};
  scan.skip_blanks();
  if (!scan.take('{')) return false;
  scan.skip_blanks();
  if (!scan.take('}')) {
    for (;;) {
      Member& member = members_.emplace_back();
      if (!scan.take_string(member.name)) return false;
      member.name = member.name.substr(1, member.name.size() - 2);
      scan.skip_blanks();
      if (!scan.take(':')) return false;
      scan.skip_blanks();
      if (!scan.take_value(member.value)) return false;
      scan.skip_blanks();
      if (scan.take('}')) break;
      if (!scan.take(',')) return false;
      scan.skip_blanks();
    }
  }
  scan.skip_blanks();
  return scan.rest.empty();
}

std::string_view JsonLine::raw(std::string_view name) const {
  for (const Member& member : members_)
    if (member.name == name) return member.value;
  return {};
}

std::string_view json_text_of(std::string_view raw, std::string& room) {
  if (!raw.starts_with('"')) return raw;
  raw = raw.substr(1, raw.size() - 2);
  if (!raw.contains('\\')) return raw;
  room.clear();
  append_unescaped(room, raw);
  return room;
}

std::vector<std::string> json_texts_of(std::string_view raw) {
  std::vector<std::string> all;
  Scanner scan{raw};
  if (!scan.take('[')) return all;
  std::string_view value;
  std::string room;
  for (scan.skip_blanks(); scan.take_value(value); scan.skip_blanks()) {
    all.emplace_back(json_text_of(value, room));
    scan.skip_blanks();
    if (!scan.take(',')) break;
  }
  return all;
}

std::string_view JsonLine::text(std::string_view name, std::string& room) const {
  return json_text_of(raw(name), room);
}

std::string JsonLine::copy(std::string_view name) const {
  std::string room;
  return std::string(text(name, room));
}

std::optional<int64_t> JsonLine::number(std::string_view name) const { return parse_int(raw(name)); }

std::optional<int> status_of(const JsonLine& line) {
  constexpr int64_t kMost = 99'999;
  const std::string_view raw = line.raw("status");
  if (raw.empty()) return std::nullopt;
  if (raw.starts_with('"')) return status_of_word(raw.substr(1, raw.size() - 2));
  const auto number = parse_int(raw);
  if (!number || *number < -kMost || *number > kMost) return std::nullopt;
  // DNS's own numbers are not crawl.log's.
  if (line.raw("url").starts_with("\"dns:")) return *number == 0 ? status::kDnsOk : status::kDnsFailed;
  return static_cast<int>(*number);
}

}  // namespace caddis::logs
