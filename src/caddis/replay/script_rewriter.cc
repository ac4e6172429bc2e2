#include "caddis/replay/script_rewriter.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "caddis/base/strings.h"
#include "caddis/replay/script_walk.h"

// How it goes about it: one pass over the tokens. A stack of frames, one for each open bracket, tells what a brace is
// (a block, an object, a body), whether an expression or a statement may begin, and where names are declared. The
// current operand (a chain of names, members and calls) is known by its start, so that a call can be put around it once
// a property that matters follows. `(location)` and `{location}` are values or patterns, which only what follows the
// bracket tells: such edits are kept cancellable up to there.
namespace caddis::replay {
namespace {

constexpr size_t kMostFrames = 5000;
constexpr size_t kMostGrowth = 8 << 20;

bool is_name_end(char c) { return is_alnum(c) || c == '_' || c == '$' || (static_cast<unsigned char>(c) & 0x80) != 0; }

// Whether the token begins a statement if it stands on a line of its own behind an operand.
bool begins_statement(const ScriptWalk& walk, const ScriptToken& token) {
  if (token.kind == ScriptToken::Kind::word)
    return token.text != "in" && token.text != "instanceof" &&
           !(token.text == "of" && walk.frames.back().kind == Frame::Kind::header);
  if (token.kind != ScriptToken::Kind::mark) return true;
  const std::string_view mark = token.text;
  return mark == "{" || mark == "!" || mark == "~" || mark == "@" || mark == "++" || mark == "--" ||
         (!walk.extendable && (mark == "(" || mark == "[" || mark == "`"));
}

// Automatic semicolons (ECMA-262, 12.10), as far as they matter here.
void end_by_newline(ScriptWalk& walk, const ScriptToken& token) {
  if (!token.newline) return;
  Frame& frame = walk.top();
  if (is_block(frame) && word_of(walk.prev.text) == Word::jump) return end_statement(walk);
  if (!walk.after_operand || walk.prev.text == "." || walk.prev.text == "?.") return;
  const bool begins = begins_statement(walk, token);
  if (frame.kind == Frame::Kind::class_) {
    if (!begins && !(frame.after_key && (token.text == "[" || token.text == "*"))) return;
    frame.expects_key = true;
    frame.after_key = false;
    expect_operand(walk);
  } else if (begins && is_block(frame)) {
    const bool opens_body =
        token.text == "{" && (frame.class_of.kind != Body::Kind::none || frame.body.kind != Body::Kind::none);
    if (!opens_body) end_statement(walk);
  }
}

void on_semicolon(ScriptWalk& walk) {
  Frame& frame = walk.top();
  walk.awaits_from = false;
  if (frame.kind == Frame::Kind::class_) {
    frame.expects_key = true;
    frame.after_key = false;
    return expect_operand(walk);
  }
  end_statement(walk);
  if (!is_block(frame)) walk.at_statement = false;
}

void on_colon(ScriptWalk& walk) {
  Frame& frame = walk.top();
  frame.after_key = false;
  if (frame.choices > 0)
    --frame.choices;
  else if (is_block(frame))
    return end_statement(walk);
  expect_operand(walk);
}

void on_comma(ScriptWalk& walk, const ScriptToken& token) {
  Frame& frame = walk.top();
  expect_operand(walk);
  if (frame.kind == Frame::Kind::object) {
    frame.expects_key = true;
    frame.after_key = false;
  }
  if (frame.declares) frame.binds = true;
  if (frame.kind == Frame::Kind::imported && std::exchange(frame.closes, false))
    walk.edits.insert(token.start, ScriptEdits::Rank::closing, ")");
}

// A mark of more than one character, or one that is neither a bracket nor a separator.
void on_operator(ScriptWalk& walk, const ScriptToken& token) {
  Frame& frame = walk.top();
  if (token.text == "?") {
    ++frame.choices;
  } else if (token.text == "...") {
    frame.expects_key = false;
  } else if (token.text == "++" || token.text == "--") {
    if (walk.after_operand) {
      walk.extendable = false;
      return;
    }
  } else if (token.text == "*") {
    if (frame.expects_key) return;
  } else if (token.text == "=") {
    frame.after_key = false;
    walk.pattern = walk.pattern && walk.prev.text == "}";
  }
  expect_operand(walk);
}

bool on_mark(ScriptWalk& walk, const ScriptToken& token) {
  if (token.text == "?.") {
    walk.operand.optional = true;
    return true;
  }
  if (token.text.size() > 1) {
    on_operator(walk, token);
    return true;
  }
  switch (token.text.front()) {
    case '(':
      return open_parenthesis(walk, token);
    case '[':
      return open_bracket(walk, token);
    case '{':
      return open_brace(walk, token);
    case '`':
      return open_template(walk, token);
    case ')':
    case ']':
    case '}':
      return close_bracket(walk, token);
    case ';':
      on_semicolon(walk);
      return true;
    case ':':
      on_colon(walk);
      return true;
    case ',':
      on_comma(walk, token);
      return true;
    case '.':
      return true;
    case '@':
      return false;
    default:
      on_operator(walk, token);
      return true;
  }
}

bool take(ScriptWalk& walk, const ScriptToken& token) {
  end_by_newline(walk, token);
  if (token.kind == ScriptToken::Kind::mark) return on_mark(walk, token);
  if (walk.prev.text == "." || walk.prev.text == "?.")
    on_property(walk, token);
  else if (walk.top().expects_key)
    on_key(walk, token);
  else if (token.kind == ScriptToken::Kind::word)
    on_word(walk, token);
  else
    on_literal(walk, token);
  return true;
}

// Most scripts that need nothing are told by their words.
bool may_matter(std::string_view source) {
  for (const std::string_view word : {"location", "top", "eval", "import", "postMessage", "export", "window", "self"})
    if (source.contains(word)) return true;
  return false;
}

}  // namespace

void ScriptEdits::add(size_t at, Rank rank, std::string text, size_t until) {
  const auto number = static_cast<int64_t>(edits_.size());
  grown_ += text.size();
  edits_.push_back({at, until, rank, false, rank == Rank::opening ? -number : number, std::move(text)});
}

void ScriptEdits::wrap(size_t start, std::string opening, size_t end, std::string closing, bool cancellable) {
  insert(start, Rank::opening, std::move(opening));
  if (cancellable) cancellable_.push_back(edits_.size() - 1);
  insert(end, Rank::closing, std::move(closing));
  if (cancellable) cancellable_.push_back(edits_.size() - 1);
}

void ScriptEdits::cancel(size_t from) {
  for (size_t i = from; i < cancellable_.size(); ++i) edits_[cancellable_[i]].cancelled = true;
  settle(from);
}

bool ScriptEdits::apply(std::string_view source, std::string& out) {
  if (grown_ > kMostGrowth) return false;
  std::erase_if(edits_, [](const Edit& edit) { return edit.cancelled; });
  if (edits_.empty()) return false;
  std::ranges::sort(edits_, {}, [](const Edit& edit) { return std::tuple(edit.at, edit.rank, edit.order); });
  out.reserve(source.size() + grown_ + 16);
  size_t copied = 0;
  for (const Edit& edit : edits_) {
    out += source.substr(copied, edit.at - copied);
    // "return(a).location": a name must not grow.
    if (edit.rank == Rank::opening && !out.empty() && is_name_end(out.back())) out += ' ';
    out += edit.text;
    copied = edit.until;
  }
  out += source.substr(copied);
  return true;
}

bool Ahead::assigns() const {
  if (c() == '=') return is_plain_assignment();
  for (const std::string_view mark :
       {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**=", "<<=", ">>=", ">>>=", "&&=", "||=", "?\?="})
    if (is(mark)) return true;
  return false;
}

Ahead peek(const ScriptWalk& walk, size_t at) {
  const auto blanks = walk.lexer.skip_blanks(at);
  return {blanks.end, blanks.newline, walk.source().substr(blanks.end)};
}

bool is_word_at(const ScriptWalk& walk, const Ahead& ahead, std::string_view word) {
  return ahead.is(word) && walk.lexer.word_end(ahead.at) == ahead.at + word.size();
}

bool is_block(const Frame& frame) {
  return frame.kind == Frame::Kind::top || frame.kind == Frame::Kind::block || frame.kind == Frame::Kind::body;
}

Frame& push(ScriptWalk& walk, Frame::Kind kind) {
  Frame& frame = walk.frames.emplace_back();
  frame.kind = kind;
  frame.cancel_from = walk.edits.cancellable();
  return frame;
}

void end_statement(ScriptWalk& walk) {
  Frame& frame = walk.top();
  walk.after_operand = walk.default_export = false;
  walk.at_statement = true;
  frame.declares = frame.binds = false;
  frame.choices = 0;
  walk.new_at = -1;
}

void expect_operand(ScriptWalk& walk) { walk.after_operand = walk.at_statement = walk.default_export = false; }

void end_operand(ScriptWalk& walk, bool extendable) {
  walk.after_operand = true;
  walk.extendable = extendable;
  walk.at_statement = walk.default_export = false;
}

void start_operand(ScriptWalk& walk, const ScriptToken& token) {
  walk.operand = {token.start, token.text, {}, false, token.text == "super" || token.text == "_caddis", walk.new_at};
  walk.new_at = -1;
  end_operand(walk, true);
}

void guard_owner(ScriptWalk& walk, size_t at, std::string closing, size_t end) {
  const bool made = walk.operand.made_at >= 0;
  walk.edits.wrap(walk.operand.start, made ? "(_caddis.o(" : "_caddis.o(", at, std::move(closing));
  if (made) walk.edits.insert(end, ScriptEdits::Rank::closing, ")");
}

std::optional<std::string> rewrite_script(std::string_view source, ScriptKind kind, const LinkRewriter& links) {
  if (!may_matter(source)) return std::nullopt;
  ScriptWalk walk{ScriptLexer(source, kind != ScriptKind::classic), kind, links, {}, {}, {}, {}};
  push(walk, Frame::Kind::top);
  for (;;) {
    const ScriptToken token = walk.lexer.next(!walk.after_operand);
    if (token.kind == ScriptToken::Kind::broken || walk.frames.size() > kMostFrames) return std::nullopt;
    if (token.kind == ScriptToken::Kind::end) break;
    if (!take(walk, token)) return std::nullopt;
    walk.prev = token;
  }
  std::string out;
  if (walk.frames.size() > 1 || !walk.edits.apply(source, out)) return std::nullopt;
  return out;
}

std::optional<std::string> rewrite_import_map(std::string_view json, const LinkRewriter& links) {
  const nlohmann::ordered_json map = nlohmann::ordered_json::parse(json, nullptr, false);
  if (!map.is_object()) return std::nullopt;
  // Keys and addresses are URLs if they begin like one; all others are names that scripts import.
  const auto address = [&](const std::string& text) {
    const bool is_url = text.starts_with('/') || text.starts_with("./") || text.starts_with("../") ||
                        text.find(':') != std::string::npos;
    return is_url ? links.rewrite(text, Modifier::script).value_or(text) : text;
  };
  const auto imports = [&](const nlohmann::ordered_json& from) {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    if (from.is_object())
      for (const auto& [key, value] : from.items())
        out[address(key)] =
            value.is_string() ? nlohmann::ordered_json(address(value.get<std::string>())) : nlohmann::ordered_json();
    return out;
  };
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (map.contains("imports")) out["imports"] = imports(map["imports"]);
  if (map.contains("scopes") && map["scopes"].is_object()) {
    out["scopes"] = nlohmann::ordered_json::object();
    for (const auto& [scope, inner] : map["scopes"].items())
      out["scopes"][links.rewrite(scope, Modifier::script).value_or(scope)] = imports(inner);
  }
  std::string text;
  for (const char c : out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
    c == '<' ? text += "\\u003c" : text += c;
  return text;
}

}  // namespace caddis::replay
