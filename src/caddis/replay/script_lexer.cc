#include "caddis/replay/script_lexer.h"

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"

namespace caddis::replay {
namespace {

// The longest first of those that begin alike.
constexpr std::string_view kMarks[] = {
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "?\?=", "=>", "==", "!=", "<=", ">=", "&&",
    "||",   "??",  "?.",  "++",  "--",  "+=",  "-=",  "*=",  "/=",  "%=",  "&=",   "|=", "^=", "<<", ">>", "**"};

bool is_letter(char c) { return is_alpha(c) || c == '_' || c == '$'; }
bool is_ascii(char c) { return (static_cast<unsigned char>(c) & 0x80) == 0; }

// Line and paragraph separator, in UTF-8.
bool is_separator(std::string_view blank) { return blank == "\u2028" || blank == "\u2029"; }

bool has_newline(std::string_view text) {
  return text.find_first_of("\n\r") != std::string_view::npos || text.find("\u2028") != std::string_view::npos ||
         text.find("\u2029") != std::string_view::npos;
}

}  // namespace

ScriptLexer::ScriptLexer(std::string_view source, bool is_module) : source_(source), is_module_(is_module) {
  if (source_.starts_with("#!")) at_ = line_end(2);
}

ScriptToken ScriptLexer::next(bool regex_allowed) {
  using enum ScriptToken::Kind;
  const auto [at, newline] = skip_blanks(at_);
  ScriptToken token;
  token.newline = newline;
  token.start = token.end = at;
  at_ = at;
  if (at == source_.size()) return token;
  const char c = source_[at];
  if (is_word_start(at)) {
    token.kind = word;
    token.end = word_end(at);
  } else if (c == '#' && is_word_start(at + 1)) {
    token.kind = name;
    token.end = word_end(at + 1);
  } else if (is_digit(c) || (c == '.' && is_digit(char_at(at + 1)))) {
    token.kind = number;
    token.end = number_end(at);
  } else if (c == '"' || c == '\'') {
    token.end = string_end(at);
    token.kind = token.end > 0 ? string : broken;
  } else if (c == '/' && regex_allowed) {
    token.end = regex_end(at);
    token.kind = token.end > 0 ? regex : broken;
  } else {
    token.kind = mark;
    token.end = at + mark_length(at);
  }
  if (token.kind == word || token.kind == mark) token.text = source_.substr(at, token.end - at);
  at_ = token.end;
  return token;
}

size_t ScriptLexer::template_end(size_t at) const {
  for (; at < source_.size(); ++at) {
    if (source_[at] == '\\') {
      ++at;
    } else if (source_[at] == '`') {
      return at + 1;
    } else if (source_[at] == '$' && char_at(at + 1) == '{') {
      return at + 2;
    }
  }
  return 0;
}

ScriptLexer::Blanks ScriptLexer::skip_blanks(size_t at) const {
  Blanks blanks{at, at == 0};
  while (blanks.end < source_.size()) {
    const char c = source_[blanks.end];
    const std::string_view rest = source_.substr(blanks.end, 4);
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      blanks.newline |= c == '\n' || c == '\r';
      ++blanks.end;
    } else if (c == '/' && rest.starts_with("//")) {
      blanks.end = line_end(blanks.end + 2);
    } else if (c == '/' && rest.starts_with("/*")) {
      const size_t close = source_.find("*/", blanks.end + 2);
      const size_t end = close == std::string_view::npos ? source_.size() : close + 2;
      blanks.newline |= has_newline(source_.substr(blanks.end, end - blanks.end));
      blanks.end = end;
    } else if (const size_t length = is_ascii(c) ? 0 : blank_length(blanks.end); length > 0) {
      blanks.newline |= is_separator(source_.substr(blanks.end, length));
      blanks.end += length;
    } else if (!is_module_ && (rest.starts_with("<!--") || (blanks.newline && rest.starts_with("-->")))) {
      blanks.end = line_end(blanks.end + 3);
    } else {
      break;
    }
  }
  return blanks;
}

size_t ScriptLexer::line_end(size_t at) const {
  for (; at < source_.size(); ++at) {
    const char c = source_[at];
    if (c == '\n' || c == '\r' || (!is_ascii(c) && is_separator(source_.substr(at, 3)))) break;
  }
  return std::min(at, source_.size());
}

// The length of a blank that is not ASCII (ECMA-262, 12.2), in UTF-8; 0 if there is none.
size_t ScriptLexer::blank_length(size_t at) const {
  if (source_.substr(at, 2) == "\u00A0") return 2;
  const std::string_view three = source_.substr(at, 3);
  for (const std::string_view blank :
       {"\uFEFF", "\u2028", "\u2029", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
        "\u2007", "\u2008", "\u2009", "\u200A", "\u202F", "\u205F", "\u3000"})
    if (three == blank) return 3;
  return 0;
}

bool ScriptLexer::is_word_start(size_t at) const {
  const char c = char_at(at);
  if (is_ascii(c)) return is_letter(c) || (c == '\\' && char_at(at + 1) == 'u');
  return blank_length(at) == 0;
}

size_t ScriptLexer::word_end(size_t at) const {
  while (at < source_.size()) {
    const char c = source_[at];
    if (is_letter(c) || is_digit(c)) {
      ++at;
    } else if (c == '\\' && char_at(at + 1) == 'u') {
      at += 2;
      if (char_at(at) != '{') continue;
      const size_t close = source_.find('}', at);
      at = close == std::string_view::npos ? source_.size() : close + 1;
    } else if (!is_ascii(c) && blank_length(at) == 0) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

size_t ScriptLexer::number_end(size_t at) const {
  const char mark = to_lower(char_at(at + 1));
  if (source_[at] == '0' && (mark == 'x' || mark == 'o' || mark == 'b')) {
    at += 2;
    while (is_alnum(char_at(at)) || char_at(at) == '_') ++at;
    return at;
  }
  bool has_point = false, has_exponent = false;
  for (;; ++at) {
    const char c = char_at(at);
    if (c == '.' && !has_point && !has_exponent)
      has_point = true;
    else if ((c == '+' || c == '-') && to_lower(source_[at - 1]) == 'e')
      continue;
    else if (c == 'e' || c == 'E')
      has_exponent = true;
    else if (!is_digit(c) && c != '_' && c != 'n')
      return at;
  }
}

size_t ScriptLexer::string_end(size_t at) const {
  const char quote = source_[at];
  for (++at; at < source_.size(); ++at) {
    const char c = source_[at];
    if (c == quote) return at + 1;
    if (c == '\\')
      at += char_at(at + 1) == '\r' && char_at(at + 2) == '\n' ? 2 : 1;
    else if (c == '\n' || c == '\r')
      return 0;
  }
  return 0;
}

size_t ScriptLexer::regex_end(size_t at) const {
  bool in_class = false;
  for (++at; at < source_.size(); ++at) {
    const char c = source_[at];
    if (c == '\n' || c == '\r' || (!is_ascii(c) && is_separator(source_.substr(at, 3)))) return 0;
    if (c == '\\')
      ++at;
    else if (c == '[')
      in_class = true;
    else if (c == ']')
      in_class = false;
    else if (c == '/' && !in_class)
      return word_end(at + 1);
  }
  return 0;
}

size_t ScriptLexer::mark_length(size_t at) const {
  const char c = source_[at];
  const std::string_view rest = source_.substr(at, 4);
  // Most marks are brackets and the like.
  if (std::string_view("(){}[],;:~@`").contains(c)) return 1;
  for (const std::string_view mark : kMarks) {
    if (mark.front() != c || !rest.starts_with(mark)) continue;
    // "a?.5:b" is a choice, not a chain.
    if (mark == "?." && is_digit(char_at(at + 2))) continue;
    return mark.size();
  }
  return 1;
}

}  // namespace caddis::replay
