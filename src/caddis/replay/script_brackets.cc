#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/replay/script_walk.h"

namespace caddis::replay {
namespace {

using Kind = Frame::Kind;

char closer_of(Kind kind) {
  switch (kind) {
    case Kind::group:
    case Kind::call:
    case Kind::imported:
    case Kind::params:
    case Kind::header:
      return ')';
    case Kind::array:
    case Kind::index:
    case Kind::key:
      return ']';
    default:
      return '}';
  }
}

Operand operand_from(size_t start, int64_t made_at = -1) {
  Operand operand;
  operand.start = start;
  operand.made_at = made_at;
  return operand;
}

// A string of a script, which may stand in markup.
std::string script_string(std::string_view text) {
  std::string json, out;
  append_json_string(json, text);
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

void open_call(ScriptWalk& walk, const ScriptToken& token) {
  const Operand& operand = walk.operand;
  const std::string_view behind = walk.source().substr(token.end, 10);
  const auto open = [&](Kind kind, std::string_view function, std::string opening) {
    const bool made = behind.starts_with(function);
    if (!made) walk.edits.insert(token.end, ScriptEdits::Rank::prefix, std::move(opening));
    Frame& frame = push(walk, kind);
    frame.closes = !made;
    frame.skip = made && kind == Kind::call;
  };
  if (operand.word == "eval" && walk.prev.text == "eval") {
    open(Kind::call, "_caddis.e(", "_caddis.e(eval,");
  } else if (operand.word == "import" && walk.prev.text == "import") {
    open(Kind::imported, "_caddis.i(", "_caddis.i(" + script_string(walk.links.base().href()) + ",");
  } else {
    const bool skip = operand.skip && operand.word != "super";
    push(walk, operand.word == "async" ? Kind::group : Kind::call).skip = skip;
  }
  walk.top().operand = walk.operand;
}

// Whether a bracket that opens here holds names that are declared.
bool opens_pattern(ScriptWalk& walk) {
  const Frame& frame = walk.top();
  const std::string_view before = walk.prev.text;
  const bool follows = before == "," || before == "...";
  return frame.binds || (frame.kind == Kind::params && (follows || before == "(")) ||
         (frame.pattern && (follows || before == "[" || before == ":"));
}

// The length of `"location"]` and its likes; 0 if something else stands there.
size_t named_index(std::string_view rest) {
  if (!rest.starts_with('"') && !rest.starts_with('\'')) return 0;
  for (const std::string_view name : {"location", "top", "eval", "postMessage"}) {
    const size_t size = name.size() + 2;
    if (rest.substr(1).starts_with(name) && rest.substr(size - 1).starts_with(rest[0]) &&
        rest.substr(size).starts_with(']'))
      return size + 1;
  }
  return 0;
}

bool is_global(std::string_view word) { return !word.empty() && (word_of(word) == Word::global || word == "top"); }

void open_index(ScriptWalk& walk, const ScriptToken& token) {
  const Operand operand = walk.operand;
  const Ahead next = peek(walk, token.end);
  const bool made = next.is("_caddis.k(");
  bool closes = false;
  if (const size_t length = operand.skip ? 0 : named_index(next.rest); length > 0) {
    const bool is_chain = walk.prev.text == "?.";
    guard_owner(walk, is_chain ? walk.prev.start : token.start, operand.optional && !is_chain ? ")?." : ")",
                next.at + length);
  } else if (is_global(operand.word) && !next.rest.empty() && !next.is_one_of("\"'0123456789") && !made) {
    walk.edits.insert(token.end, ScriptEdits::Rank::prefix, "_caddis.k(" + std::string(operand.word) + ",");
    closes = true;
  }
  Frame& frame = push(walk, Kind::index);
  frame.operand = operand;
  frame.closes = closes;
  frame.skip = made;
}

bool go_on_with_template(ScriptWalk& walk, size_t at, const Operand& operand) {
  const size_t end = walk.lexer.template_end(at);
  if (end == 0) return false;
  walk.lexer.go_on(end);
  if (walk.source()[end - 1] == '`') {
    walk.operand = operand;
    walk.operand.word = {};
    end_operand(walk, true);
  } else {
    push(walk, Kind::template_).operand = operand;
    expect_operand(walk);
  }
  return true;
}

// Edits of names that turn out to be declared, or assigned to, in a pattern are taken back.
void settle_names(ScriptWalk& walk, const Frame& frame, const ScriptToken& token) {
  if (frame.kind == Kind::group || frame.kind == Kind::array || frame.kind == Kind::object) {
    const Ahead next = peek(walk, token.end);
    const bool is_target = walk.top().kind == Kind::header && frame.kind != Kind::group &&
                           (is_word_at(walk, next, "of") || is_word_at(walk, next, "in"));
    if (!next.is("=>") && !next.is_plain_assignment() && !is_target) return;
    walk.edits.cancel(frame.cancel_from);
  }
  walk.edits.settle(frame.cancel_from);
}

void after_statement_part(ScriptWalk& walk) {
  expect_operand(walk);
  walk.at_statement = true;
}

void expect_key(ScriptWalk& walk) {
  walk.top().expects_key = true;
  expect_operand(walk);
}

void after_body(ScriptWalk& walk, const Body& made) {
  switch (made.kind) {
    case Body::Kind::method:
      return walk.top().kind == Kind::class_ ? expect_key(walk) : end_operand(walk, false);
    case Body::Kind::arrow:
      return end_operand(walk, false);
    case Body::Kind::expression:
      walk.operand = operand_from(made.start);
      return end_operand(walk, true);
    default:
      return end_statement(walk);
  }
}

// A call, an index, or a value in brackets.
void after_value(ScriptWalk& walk, const Frame& frame) {
  walk.operand = frame.operand;
  walk.operand.word = {};
  if (frame.kind == Kind::call && walk.operand.made_at >= 0) {
    walk.operand.start = static_cast<size_t>(walk.operand.made_at);
    walk.operand.made_at = -1;
  }
  end_operand(walk, true);
}

void after_list(ScriptWalk& walk, const ScriptToken& token) {
  end_operand(walk, false);
  if (is_word_at(walk, peek(walk, token.end), "from")) walk.awaits_from = true;
}

}  // namespace

bool open_parenthesis(ScriptWalk& walk, const ScriptToken& token) {
  Frame& frame = walk.top();
  if (frame.header != Word::none) {
    const Kind kind = std::exchange(frame.header, Word::none) == Word::catch_ ? Kind::params : Kind::header;
    push(walk, kind).made.kind = Body::Kind::statement;
  } else if (frame.function.kind != Body::Kind::none) {
    const Body made = std::exchange(frame.function, {});
    push(walk, Kind::params).made = made;
  } else if (frame.after_key) {
    frame.after_key = false;
    push(walk, Kind::params).made.kind = Body::Kind::method;
  } else if (walk.after_operand && walk.extendable) {
    open_call(walk, token);
  } else {
    push(walk, Kind::group).operand = operand_from(token.start, std::exchange(walk.new_at, -1));
  }
  expect_operand(walk);
  return true;
}

bool open_bracket(ScriptWalk& walk, const ScriptToken& token) {
  Frame& frame = walk.top();
  if (frame.expects_key) {
    push(walk, Kind::key);
  } else if (walk.after_operand && walk.extendable) {
    open_index(walk, token);
  } else {
    const bool pattern = opens_pattern(walk);
    frame.binds = false;
    Frame& array = push(walk, Kind::array);
    array.operand = operand_from(token.start, std::exchange(walk.new_at, -1));
    array.pattern = pattern;
  }
  expect_operand(walk);
  return true;
}

bool open_brace(ScriptWalk& walk, const ScriptToken& token) {
  Frame& frame = walk.top();
  if (frame.body.kind != Body::Kind::none) {
    const Body made = std::exchange(frame.body, {});
    push(walk, Kind::body).made = made;
  } else if (walk.prev.text == "=>") {
    push(walk, Kind::body).made.kind = Body::Kind::arrow;
  } else if (frame.class_of.kind != Body::Kind::none) {
    const Body made = std::exchange(frame.class_of, {});
    Frame& opened = push(walk, Kind::class_);
    opened.made = made;
    opened.expects_key = true;
  } else if (frame.kind == Kind::class_ && frame.expects_key) {
    push(walk, Kind::block);
  } else if (walk.awaits_from || walk.prev.text == "export") {
    push(walk, Kind::list);
    return true;
  } else if ((walk.at_statement && !walk.default_export) || walk.after_operand) {
    frame.header = Word::none;
    push(walk, Kind::block);
  } else {
    const bool pattern = opens_pattern(walk);
    frame.binds = false;
    Frame& object = push(walk, Kind::object);
    object.operand = operand_from(token.start);
    object.pattern = pattern;
    object.expects_key = true;
  }
  if (walk.top().kind == Kind::block || walk.top().kind == Kind::body)
    end_statement(walk);
  else
    expect_operand(walk);
  return true;
}

bool open_template(ScriptWalk& walk, const ScriptToken& token) {
  if (!walk.after_operand || !walk.extendable) {
    ScriptToken without = token;
    without.text = {};
    start_operand(walk, without);
  }
  return go_on_with_template(walk, token.end, Operand(walk.operand));
}

bool close_bracket(ScriptWalk& walk, const ScriptToken& token) {
  if (walk.frames.size() == 1 || closer_of(walk.top().kind) != token.text.front()) return false;
  const Frame frame = walk.top();
  walk.frames.pop_back();
  if (frame.closes) walk.edits.insert(token.start, ScriptEdits::Rank::closing, ")");
  settle_names(walk, frame, token);
  walk.pattern = frame.special;
  switch (frame.kind) {
    case Kind::template_:
      return go_on_with_template(walk, token.end, frame.operand);
    case Kind::list:
      after_list(walk, token);
      return true;
    case Kind::header:
      after_statement_part(walk);
      return true;
    case Kind::params:
      if (frame.made.kind == Body::Kind::statement) {
        after_statement_part(walk);
      } else {
        walk.top().body = frame.made;
        end_operand(walk, false);
      }
      return true;
    case Kind::block:
      walk.top().kind == Kind::class_ ? expect_key(walk) : end_statement(walk);
      return true;
    case Kind::body:
    case Kind::class_:
      after_body(walk, frame.made);
      return true;
    case Kind::key:
      walk.top().expects_key = false;
      walk.top().after_key = true;
      end_operand(walk, false);
      return true;
    default:
      after_value(walk, frame);
      return true;
  }
}

}  // namespace caddis::replay
