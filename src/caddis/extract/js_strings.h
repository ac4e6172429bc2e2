// The string literals of a script, each with what stands around it. A lexer for ECMAScript and JSON that knows
// comments, strings, templates and (by what stands before the slash) regular expressions; nothing is parsed. Internal
// to extract.
//
// The script is borrowed. Any text is accepted; time is linear. Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::extract {

// The items of a list stand where the list does: of `{"image": ["a", "b"]}` both have the mark ':' and the word "image".
struct JsString {
  std::string_view raw;     // between the quotes, escapes included
  bool has_escape = false;  // then js_unescape() is needed
  bool is_part = false;     // joined to something by '+', or a template with a substitution
  bool is_open = false;     // a part, and not the last one
  char before = '\0';       // the mark before it: '=', '(', ':', ',' … or 0; a comparison is '~'
  std::string_view word;    // the last name (or key) before that mark: of `x.src = "…"` "src", of `"url": "…"` "url"
  std::string_view owner;   // the name before that word, if only a '.' or white space is between: of `x.src = "…"` "x"
  std::string_view call;    // the name before the parenthesis that it directly stands in: of `f(1, "…")` "f"
  std::string_view behind;  // all that follows its closing quote
};

class JsStrings {
 public:
  explicit JsStrings(std::string_view script) : script_(script) {}
  // The next string literal; false at the end.
  bool next(JsString& string);

 private:
  void read_string(JsString& string, char quote);
  void skip_slash();
  bool skip_comment();
  void read_word();
  void read_mark(char c);
  void open_bracket(char c);
  bool joined_behind() const;

  std::string_view script_;
  size_t at_ = 0;
  char mark_ = '\0';  // the last mark, 0 where a word or literal followed it
  size_t mark_at_ = 0;
  std::string_view word_, owner_;
  std::string_view object_;  // the name before the '.' that is the last mark
  // The last token: behind a value or name '/' divides, elsewhere it opens a regular expression.
  enum class Last : char { mark, word, value };
  Last last_ = Last::mark;
  size_t in_vain_ = 0;  // bytes that were looked at for the ends of regular expressions that have none

  // A bracket that is open, and what stands before it.
  struct Bracket {
    char mark = '\0', before = '\0';
    std::string_view word, owner;
    bool is_named_list() const { return mark == '[' && before != '\0'; }
  };
  std::vector<Bracket> brackets_;
};

// `raw` with its escapes resolved (\/ \n \x41 \u0041 \u{41}; a line continuation vanishes).
std::string js_unescape(std::string_view raw);

}  // namespace caddis::extract
