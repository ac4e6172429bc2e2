// Tokens of ECMAScript (ECMA-262), one after the other. The reader tells what the grammar cannot: whether a slash may
// begin a regular expression. The source is UTF-8 or another charset in which ASCII bytes stand for themselves; it is
// borrowed. Any text is accepted, in linear time. web/replay/client/script_lexer.js has the same rules. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace caddis::replay {

struct ScriptToken {
  enum class Kind : uint8_t { end, word, name, number, string, regex, mark, broken };

  Kind kind = Kind::end;
  bool newline = false;  // a line ended before it
  size_t start = 0;
  size_t end = 0;
  std::string_view text;  // of a word or a mark
};

class ScriptLexer {
 public:
  ScriptLexer(std::string_view source, bool is_module);

  // Words are names and keywords, names are private ones ("#x"). Kind::broken for a string or an expression that does
  // not end.
  ScriptToken next(bool regex_allowed);
  // Goes on behind `at`.
  void go_on(size_t at) { at_ = at; }

  // The text of a template goes on at `at`: where it ends, with "${" or "`" at its end. 0 if it does not.
  size_t template_end(size_t at) const;

  struct Blanks {
    size_t end = 0;
    bool newline = false;
  };
  // The blanks and comments at `at`.
  Blanks skip_blanks(size_t at) const;

  // Where the word at `at` ends; `at` if none begins there.
  size_t word_end(size_t at) const;
  bool is_word_start(size_t at) const;
  std::string_view source() const { return source_; }

 private:
  char char_at(size_t at) const { return at < source_.size() ? source_[at] : '\0'; }
  size_t line_end(size_t at) const;
  size_t blank_length(size_t at) const;
  size_t number_end(size_t at) const;
  size_t string_end(size_t at) const;
  size_t regex_end(size_t at) const;
  size_t mark_length(size_t at) const;

  std::string_view source_;
  bool is_module_;
  size_t at_ = 0;
};

}  // namespace caddis::replay
