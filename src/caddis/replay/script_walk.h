// A walk over a script: all that it knows at one place. Internal to script_rewriter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/replay/script_lexer.h"
#include "caddis/replay/script_rewriter.h"

namespace caddis::replay {

// Insertions and replacements, in any order. Some are taken back.
class ScriptEdits {
 public:
  // Edits at one place stand in this order; among openings the last one made comes first.
  enum class Rank : uint8_t { closing, prefix, opening };

  void add(size_t at, Rank rank, std::string text, size_t until);
  void insert(size_t at, Rank rank, std::string text) { add(at, rank, std::move(text), at); }
  // Around an expression. One that is `cancellable` may turn out to be a pattern, not a value.
  void wrap(size_t start, std::string opening, size_t end, std::string closing, bool cancellable = false);

  size_t cancellable() const { return cancellable_.size(); }
  void cancel(size_t from);
  void settle(size_t from) { cancellable_.resize(std::min(from, cancellable_.size())); }

  bool empty() const { return edits_.empty(); }
  // False if the script would grow out of all proportion.
  bool apply(std::string_view source, std::string& out);

 private:
  struct Edit {
    size_t at, until;
    Rank rank;
    bool cancelled;
    int64_t order;
    std::string text;
  };
  std::vector<Edit> edits_;
  std::vector<size_t> cancellable_;
  size_t grown_ = 0;
};

enum class Word : uint8_t {
  none,
  location_,
  top_,
  eval_,
  post_message,
  global,
  operator_,
  header_,
  catch_,
  followed,
  function_,
  class_,
  declares,
  let_,
  import_,
  export_,
  default_,
  async_,
  new_,
  await_,
  of_,
  in_,
  modifier,
  static_,
  typeof_,
  jump,
  super_,
  meta,
};
Word word_of(std::string_view text);

// The expression that stands just before: names, calls and members in a chain.
struct Operand {
  size_t start = 0;
  std::string_view word;      // if it is nothing but a word
  std::string_view property;  // the last one named
  bool optional = false;      // with "?."
  bool skip = false;          // cannot be, or has been, passed through a function
  int64_t made_at = -1;       // where the "new" in front of it stands
};

// A function or class whose body opens later, or is open.
struct Body {
  enum class Kind : uint8_t { none, declaration, expression, method, arrow, statement };
  Kind kind = Kind::none;
  size_t start = 0;
};

struct Frame {
  enum class Kind : uint8_t {
    top,
    block,
    body,
    class_,
    object,
    array,
    group,
    call,
    imported,
    index,
    params,
    header,
    key,
    list,
    template_,
  };
  Kind kind = Kind::top;
  bool declares = false;  // inside var, let, const
  bool binds = false;     // a name that is declared may follow
  bool pattern = false;   // its names are declared
  bool special = false;   // a key in it is a name that matters
  bool expects_key = false;
  bool after_key = false;
  bool skip = false;              // arguments that have been passed through a function already
  bool closes = false;            // a ")" is to be inserted at its end
  Word header = Word::none;       // its parenthesis follows
  unsigned choices = 0;           // "?" without their ":"
  Body function, class_of, body;  // whose parameters or body follow
  Body made;                      // whose this is
  Operand operand;                // goes on behind it
  size_t cancel_from = 0;
};

struct ScriptWalk {
  ScriptLexer lexer;
  ScriptKind kind;
  const LinkRewriter& links;
  ScriptEdits edits;
  std::vector<Frame> frames;
  ScriptToken prev;
  Operand operand;
  bool after_operand = false;
  bool extendable = false;  // a bracket behind the operand is a call or an index
  bool at_statement = true;
  bool default_export = false;
  bool awaits_from = false;  // a string with the address of a module follows
  bool pattern = false;      // the bracket closed last had a key that matters
  int64_t new_at = -1;
  int64_t async_at = -1;

  Frame& top() { return frames.back(); }
  std::string_view source() const { return lexer.source(); }
};

// The text behind `at`, without blanks and comments.
struct Ahead {
  size_t at = 0;
  bool newline = false;
  std::string_view rest;
  bool is(std::string_view text) const { return rest.starts_with(text); }
  char c() const { return rest.empty() ? '\0' : rest.front(); }
  bool is_one_of(std::string_view chars) const { return !rest.empty() && chars.contains(rest.front()); }
  bool assigns() const;  // an assignment, also with an operation
  bool is_plain_assignment() const { return c() == '=' && !is("==") && !is("=>"); }
};
Ahead peek(const ScriptWalk& walk, size_t at);
bool is_word_at(const ScriptWalk& walk, const Ahead& ahead, std::string_view word);

bool is_block(const Frame& frame);
Frame& push(ScriptWalk& walk, Frame::Kind kind);
void end_statement(ScriptWalk& walk);
void expect_operand(ScriptWalk& walk);
void end_operand(ScriptWalk& walk, bool extendable);
void start_operand(ScriptWalk& walk, const ScriptToken& token);
// Passes the owner of a property through the client: `at` is where its point or bracket stands.
void guard_owner(ScriptWalk& walk, size_t at, std::string closing, size_t end);

// script_words.cc: what a token that is no mark means here.
void on_property(ScriptWalk& walk, const ScriptToken& token);
void on_key(ScriptWalk& walk, const ScriptToken& token);
void on_word(ScriptWalk& walk, const ScriptToken& token);
void on_literal(ScriptWalk& walk, const ScriptToken& token);

// script_brackets.cc. False if the script is broken.
bool open_parenthesis(ScriptWalk& walk, const ScriptToken& token);
bool open_bracket(ScriptWalk& walk, const ScriptToken& token);
bool open_brace(ScriptWalk& walk, const ScriptToken& token);
bool open_template(ScriptWalk& walk, const ScriptToken& token);
bool close_bracket(ScriptWalk& walk, const ScriptToken& token);

}  // namespace caddis::replay
