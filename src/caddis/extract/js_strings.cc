#include "caddis/extract/js_strings.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::extract {
namespace {

enum class CharKind : uint8_t { mark, word, space, quote, slash };

constexpr std::array<CharKind, 256> make_kinds() {
  std::array<CharKind, 256> kinds{};
  for (int c = 0; c < 256; ++c) {
    const char byte = static_cast<char>(c);
    if (is_alnum(byte) || byte == '_' || byte == '$' || c >= 0x80)
      kinds[c] = CharKind::word;
    else if (is_space(byte))
      kinds[c] = CharKind::space;
  }
  for (const char c : {'"', '\'', '`'}) kinds[static_cast<uint8_t>(c)] = CharKind::quote;
  kinds['/'] = CharKind::slash;
  return kinds;
}

constexpr std::array<CharKind, 256> kKinds = make_kinds();

CharKind kind_of(char c) { return kKinds[static_cast<uint8_t>(c)]; }

// Words behind which an operand begins, so that a '/' there opens a regular expression.
bool is_operator_word(std::string_view word) {
  for (const std::string_view keyword :
       {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do"}) {
    if (word == keyword) return true;
  }
  return false;
}

// Behind these words a string stands as behind a '(' : `from "x"`, `import "x"`.
bool is_import_word(std::string_view word) { return word == "from" || word == "import"; }

}  // namespace

bool JsStrings::next(JsString& string) {
  while (at_ < script_.size()) {
    const char c = script_[at_];
    switch (kind_of(c)) {
      case CharKind::word:
        read_word();
        break;
      case CharKind::space:
        ++at_;
        break;
      case CharKind::mark:
        read_mark(c);
        break;
      case CharKind::slash:
        skip_slash();
        break;
      case CharKind::quote:
        read_string(string, c);
        return true;
    }
  }
  return false;
}

void JsStrings::read_word() {
  const size_t start = at_;
  while (at_ < script_.size() && kind_of(script_[at_]) == CharKind::word) ++at_;
  owner_ = mark_ == '.' ? object_ : last_ == Last::word ? word_ : std::string_view();
  word_ = script_.substr(start, at_ - start);
  mark_ = '\0';
  last_ = Last::word;
}

void JsStrings::read_mark(char c) {
  const bool adjacent = mark_at_ + 1 == at_;
  const char previous = adjacent ? script_[mark_at_] : '\0';
  const bool comparison = c == '=' && (previous == '=' || previous == '!' || previous == '<' || previous == '>');
  if (c == '.') object_ = last_ == Last::word ? word_ : std::string_view();
  const bool closes = c == ')' || c == ']' || c == '}';
  if (c == '(' || c == '[' || c == '{')
    open_bracket(c);
  else if (closes && !brackets_.empty())
    brackets_.pop_back();
  mark_ = comparison ? '~' : c;
  mark_at_ = at_++;
  last_ = closes ? Last::value : Last::mark;
}

// Remembers what stands before a bracket. A list in a named list has the name of that.
void JsStrings::open_bracket(char c) {
  constexpr size_t kMost = 1 << 16;  // open at the same time: more is no script
  if (brackets_.size() >= kMost) brackets_.clear();
  const bool is_item =
      c == '[' && (mark_ == '[' || mark_ == ',') && !brackets_.empty() && brackets_.back().is_named_list();
  if (is_item)
    brackets_.push_back(Bracket(brackets_.back()));
  else if (c == '(')
    brackets_.push_back({c, mark_, last_ == Last::word ? word_ : std::string_view(), owner_});
  else
    brackets_.push_back({c, mark_ == '[' || mark_ == ',' ? '\0' : mark_, word_, owner_});
}

bool JsStrings::skip_comment() {
  const std::string_view rest = script_.substr(at_);
  if (rest.starts_with("//")) {
    at_ = std::min(script_.find_first_of("\r\n", at_), script_.size());
    return true;
  }
  if (rest.starts_with("/*")) {
    const size_t close = script_.find("*/", at_ + 2);
    at_ = close == std::string_view::npos ? script_.size() : close + 2;
    return true;
  }
  return false;
}

void JsStrings::skip_slash() {
  if (skip_comment()) return;
  // A script that is read twice over for that has no such ends.
  const bool divides = last_ == Last::value || (last_ == Last::word && !is_operator_word(word_));
  if (divides || in_vain_ > script_.size()) {
    read_mark('/');
    return;
  }
  // A regular expression ends in its line; one that does not was a division after all.
  constexpr size_t kMaxExpression = 4096;
  bool in_class = false;
  size_t end = at_ + 1;
  for (; end < std::min(script_.size(), at_ + kMaxExpression); ++end) {
    const char c = script_[end];
    if (c == '\n' || c == '\r') break;
    if (c == '\\')
      ++end;
    else if (c == '[')
      in_class = true;
    else if (c == ']')
      in_class = false;
    else if (c == '/' && !in_class) {
      at_ = end + 1;
      mark_ = '\0';
      last_ = Last::value;
      return;
    }
  }
  in_vain_ += end - at_;
  read_mark('/');
}

void JsStrings::read_string(JsString& string, char quote) {
  string = JsString();
  string.before = last_ == Last::word && is_import_word(word_) ? '(' : mark_;
  string.word = word_;
  string.owner = owner_;
  if (!brackets_.empty()) {
    const Bracket& bracket = brackets_.back();
    if (bracket.mark == '(') string.call = bracket.word;
    if (bracket.is_named_list() && (mark_ == '[' || mark_ == ',')) {
      string.before = bracket.before;
      string.word = bracket.word;
      string.owner = bracket.owner;
    }
  }
  bool has_substitution = false;
  const size_t start = ++at_;
  for (; at_ < script_.size() && script_[at_] != quote; ++at_) {
    const char c = script_[at_];
    if (c == '\\') {
      string.has_escape = true;
      ++at_;
    } else if (quote == '`') {
      has_substitution = has_substitution || (c == '$' && at_ + 1 < script_.size() && script_[at_ + 1] == '{');
    } else if (c == '\n' || c == '\r') {
      break;  // not closed in its line: an apostrophe in something we did not understand
    }
  }
  at_ = std::min(at_, script_.size());
  const bool closed = at_ < script_.size() && script_[at_] == quote;
  string.raw = script_.substr(start, at_ - start);
  if (closed) ++at_;
  string.behind = script_.substr(at_);
  string.is_open = has_substitution || !closed || joined_behind();
  string.is_part = string.is_open || mark_ == '+';
  // In `"url": "x"` the first string is the word before the second.
  word_ = string.raw;
  owner_ = {};
  mark_ = '\0';
  last_ = Last::value;
}

// Whether the string that ends here is followed by '+' or a method call. Comments between are rare enough to ignore.
bool JsStrings::joined_behind() const {
  size_t at = at_;
  while (at < script_.size() && is_space(script_[at])) ++at;
  return at < script_.size() && (script_[at] == '+' || script_[at] == '.');
}

std::string js_unescape(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  const auto take_hex = [&raw](size_t& at, size_t digits, char32_t& value) {
    value = 0;
    for (size_t i = 0; i < digits; ++i, ++at) {
      if (at >= raw.size() || hex_value(raw[at]) < 0) return false;
      value = value * 16 + static_cast<char32_t>(hex_value(raw[at]));
    }
    return true;
  };
  for (size_t at = 0; at < raw.size();) {
    const char c = raw[at++];
    if (c != '\\' || at >= raw.size()) {
      out += c;
      continue;
    }
    const char escape = raw[at++];
    char32_t value = 0, low = 0;
    switch (escape) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case '\n':
        break;
      case 'x':
        if (take_hex(at, 2, value)) append_utf8(out, value);
        break;
      case 'u':
        if (at < raw.size() && raw[at] == '{') {
          ++at;
          for (; at < raw.size() && hex_value(raw[at]) >= 0 && value <= 0x10FFFF; ++at) {
            value = value * 16 + static_cast<char32_t>(hex_value(raw[at]));
          }
          if (at < raw.size()) ++at;
          append_utf8(out, value);
        } else if (take_hex(at, 4, value)) {
          size_t behind = at + 2;
          if (value >= 0xD800 && value < 0xDC00 && raw.substr(at).starts_with("\\u") && take_hex(behind, 4, low) &&
              low >= 0xDC00 && low < 0xE000) {
            value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
            at = behind;
          }
          append_utf8(out, value);
        }
        break;
      default:
        out += escape;
        break;
    }
  }
  return out;
}

}  // namespace caddis::extract
