#include <array>

#include "caddis/base/strings.h"
#include "caddis/replay/script_walk.h"

namespace caddis::replay {
namespace {

struct NamedWord {
  std::string_view text;
  Word word;
};

constexpr NamedWord kWords[] = {
    {"location", Word::location_},
    {"top", Word::top_},
    {"eval", Word::eval_},
    {"postMessage", Word::post_message},
    {"window", Word::global},
    {"self", Word::global},
    {"globalThis", Word::global},
    {"document", Word::global},
    {"parent", Word::global},
    {"frames", Word::global},
    {"return", Word::jump},
    {"throw", Word::jump},
    {"break", Word::jump},
    {"continue", Word::jump},
    {"typeof", Word::typeof_},
    {"delete", Word::typeof_},
    {"void", Word::operator_},
    {"case", Word::operator_},
    {"instanceof", Word::operator_},
    {"extends", Word::operator_},
    {"yield", Word::await_},
    {"await", Word::await_},
    {"if", Word::header_},
    {"for", Word::header_},
    {"while", Word::header_},
    {"with", Word::header_},
    {"switch", Word::header_},
    {"catch", Word::catch_},
    {"else", Word::followed},
    {"do", Word::followed},
    {"try", Word::followed},
    {"finally", Word::followed},
    {"function", Word::function_},
    {"class", Word::class_},
    {"var", Word::declares},
    {"const", Word::declares},
    {"let", Word::let_},
    {"import", Word::import_},
    {"export", Word::export_},
    {"default", Word::default_},
    {"async", Word::async_},
    {"new", Word::new_},
    {"of", Word::of_},
    {"in", Word::in_},
    {"get", Word::modifier},
    {"set", Word::modifier},
    {"accessor", Word::modifier},
    {"static", Word::static_},
    {"super", Word::super_},
    {"meta", Word::meta},
};

constexpr size_t kLongestWord = 11;

// The words that begin with each letter: a script is mostly words that are none of these.
using Index = std::array<std::array<uint8_t, 8>, 26>;
constexpr Index make_index() {
  Index index{};
  uint8_t number = 0;
  for (const NamedWord& one : kWords) {
    ++number;
    auto& row = index[static_cast<size_t>(one.text.front() - 'a')];
    size_t at = 0;
    while (row[at] != 0) ++at;
    row[at] = number;
  }
  return index;
}
constexpr Index kIndex = make_index();

bool is_special(Word word) { return word == Word::location_ || word == Word::top_ || word == Word::eval_; }

bool is_jump_out(std::string_view text) { return text == "break" || text == "continue"; }

// Whether a pattern may declare a name that stands between these.
bool may_bind(const ScriptToken& prev, const Ahead& next) {
  const bool opens = prev.text == "(" || prev.text == "," || prev.text == "[" || prev.text == "{" || prev.text == ":" ||
                     prev.text == "...";
  return opens && (next.is_one_of(",)]}") || next.is_plain_assignment());
}

bool is_cover(const Frame& frame) {
  return frame.kind == Frame::Kind::group || frame.kind == Frame::Kind::array || frame.kind == Frame::Kind::object;
}

// `const {location} = window`
void on_destructured(ScriptWalk& walk, const ScriptToken& token) {
  const Ahead next = peek(walk, token.end);
  if (next.newline || next.rest.empty() || next.is_one_of(";,)}"))
    walk.edits.wrap(token.start, "_caddis.d(", token.end, ")");
}

void on_special(ScriptWalk& walk, const ScriptToken& token, Word word, bool was_at_statement) {
  const ScriptToken& prev = walk.prev;
  const Frame& frame = walk.top();
  const Ahead next = peek(walk, token.end);
  if (word_of(prev.text) == Word::typeof_ || is_jump_out(prev.text) || prev.text == "++" || prev.text == "--") return;
  if (next.is("=>") || (!next.newline && (next.is("++") || next.is("--")))) return;
  if (was_at_statement && next.c() == ':') return;
  if (frame.kind == Frame::Kind::header && prev.text == "(" &&
      (is_word_at(walk, next, "in") || is_word_at(walk, next, "of")))
    return;
  if (word == Word::eval_ && next.c() == '(') return;
  if (walk.pattern && prev.text == "=" && word == Word::top_) return on_destructured(walk, token);
  const bool binds = may_bind(prev, next);
  if (binds && (frame.kind == Frame::Kind::params || frame.pattern)) return;
  const bool assigns = next.assigns();
  if (assigns && word != Word::location_) return;
  const bool cancellable = binds && is_cover(frame);
  if (assigns)
    walk.edits.wrap(token.start, "_caddis.t(v=>location=v,", token.end, ").v", cancellable);
  else
    walk.edits.wrap(token.start, "_caddis.l(", token.end, ")", cancellable);
}

void on_identifier(ScriptWalk& walk, const ScriptToken& token, Word word) {
  Frame& frame = walk.top();
  const ScriptToken& prev = walk.prev;
  const bool is_name =
      prev.text == "function" || prev.text == "class" || (prev.text == "*" && frame.function.kind != Body::Kind::none);
  const bool binds = frame.binds;
  const bool was_at_statement = walk.at_statement;
  frame.binds = false;
  start_operand(walk, token);
  if (is_name || binds) return;
  if (is_special(word) && !frame.skip)
    on_special(walk, token, word, was_at_statement);
  else if (word == Word::global && walk.pattern && prev.text == "=")
    on_destructured(walk, token);
}

bool declares_let(const ScriptWalk& walk, const ScriptToken& token) {
  if (!walk.at_statement && walk.prev.text != "(") return false;
  const Ahead next = peek(walk, token.end);
  if (next.is_one_of("{[")) return true;
  return walk.lexer.is_word_start(next.at) && next.at < walk.source().size() && !is_word_at(walk, next, "in") &&
         !is_word_at(walk, next, "of") && !is_word_at(walk, next, "instanceof");
}

bool is_operator(ScriptWalk& walk, const ScriptToken& token, Word word) {
  switch (word) {
    case Word::operator_:
    case Word::typeof_:
    case Word::in_:
      return true;
    case Word::jump:
      return !is_jump_out(token.text);
    case Word::of_:
      return walk.top().kind == Frame::Kind::header && walk.after_operand;
    case Word::new_:
      return peek(walk, token.end).c() != '.';
    case Word::await_: {
      const Ahead next = peek(walk, token.end);
      return !next.rest.empty() && !next.is_one_of(")]},;:.=");
    }
    default:
      return false;
  }
}

void on_import(ScriptWalk& walk, const ScriptToken& token) {
  const char next = peek(walk, token.end).c();
  start_operand(walk, token);
  if (next != '(' && next != '.') walk.awaits_from = true;
}

void on_export(ScriptWalk& walk, const ScriptToken& token) {
  const char next = peek(walk, token.end).c();
  expect_operand(walk);
  walk.at_statement = next != '{' && next != '*';
  if (next == '*') walk.awaits_from = true;
}

bool begins_async_function(const ScriptWalk& walk, const ScriptToken& token) {
  const Ahead next = peek(walk, token.end);
  return !next.newline && is_word_at(walk, next, "function");
}

void on_function_or_class(ScriptWalk& walk, const ScriptToken& token, Word word) {
  Body body{walk.at_statement ? Body::Kind::declaration : Body::Kind::expression, token.start};
  if (walk.async_at >= 0) body.start = static_cast<size_t>(walk.async_at);
  (word == Word::function_ ? walk.top().function : walk.top().class_of) = body;
  walk.async_at = walk.new_at = -1;
  expect_operand(walk);
}

void on_specifier(ScriptWalk& walk, const ScriptToken& token) {
  const std::string_view specifier = walk.source().substr(token.start + 1, token.end - token.start - 2);
  if (specifier.contains('\\')) return;
  const bool is_relative = specifier.starts_with("./") || specifier.starts_with("../");
  const bool is_absolute = specifier.starts_with('/') || starts_with_ignore_case(specifier, "http:") ||
                           starts_with_ignore_case(specifier, "https:");
  if (!is_absolute && !(is_relative && walk.kind == ScriptKind::inline_module)) return;
  if (!walk.links.prefix().empty() && specifier.starts_with(walk.links.prefix())) return;
  if (auto address = walk.links.rewrite(specifier, Modifier::script))
    walk.edits.add(token.start + 1, ScriptEdits::Rank::prefix, *std::move(address), token.end - 1);
}

}  // namespace

Word word_of(std::string_view text) {
  if (text.size() < 2 || text.size() > kLongestWord || text[0] < 'a' || text[0] > 'z') return Word::none;
  for (const uint8_t number : kIndex[static_cast<size_t>(text[0] - 'a')]) {
    if (number == 0) break;
    if (kWords[number - 1].text == text) return kWords[number - 1].word;
  }
  return Word::none;
}

void on_literal(ScriptWalk& walk, const ScriptToken& token) {
  if (walk.awaits_from && token.kind == ScriptToken::Kind::string) {
    walk.awaits_from = false;
    on_specifier(walk, token);
  }
  walk.top().binds = false;
  start_operand(walk, token);
}

void on_word(ScriptWalk& walk, const ScriptToken& token) {
  Frame& frame = walk.top();
  const Word word = word_of(token.text);
  if (frame.kind == Frame::Kind::list) return end_operand(walk, true);
  if (walk.awaits_from) return;
  if (word == Word::header_) {
    frame.header = word;
    expect_operand(walk);
  } else if (word == Word::catch_) {
    frame.header = word;
    end_statement(walk);
  } else if (word == Word::followed) {
    end_statement(walk);
  } else if (word == Word::function_ || word == Word::class_) {
    on_function_or_class(walk, token, word);
  } else if (word == Word::declares || (word == Word::let_ && declares_let(walk, token))) {
    expect_operand(walk);
    frame.declares = frame.binds = true;
  } else if (word == Word::import_) {
    on_import(walk, token);
  } else if (word == Word::export_ && walk.at_statement) {
    on_export(walk, token);
  } else if (word == Word::default_ && walk.prev.text == "export") {
    walk.default_export = true;
  } else if (is_operator(walk, token, word)) {
    expect_operand(walk);
    if (word == Word::new_) walk.new_at = static_cast<int64_t>(token.start);
    if (word == Word::in_ || word == Word::of_) frame.declares = false;
  } else if (word == Word::async_ && begins_async_function(walk, token)) {
    walk.async_at = static_cast<int64_t>(token.start);
  } else {
    on_identifier(walk, token, word);
  }
}

void on_property(ScriptWalk& walk, const ScriptToken& token) {
  Operand& operand = walk.operand;
  const Word word = word_of(token.text);
  const bool is_member = is_special(word) || (word == Word::post_message && peek(walk, token.end).c() == '(');
  if (word == Word::meta && operand.word == "import") {
    if (!walk.top().skip) walk.edits.wrap(operand.start, "_caddis.m(", token.end, ")");
  } else if (is_member && !operand.skip && walk.after_operand && !(word == Word::top_ && operand.property == "style")) {
    guard_owner(walk, walk.prev.start, operand.optional && walk.prev.text == "." ? ")?" : ")", token.end);
  }
  operand.word = {};
  operand.property = token.text;
  end_operand(walk, true);
}

void on_key(ScriptWalk& walk, const ScriptToken& token) {
  Frame& frame = walk.top();
  const Ahead next = peek(walk, token.end);
  const Word word = token.kind == ScriptToken::Kind::word ? word_of(token.text) : Word::none;
  const bool is_modifier = word == Word::modifier || word == Word::static_ || word == Word::async_;
  const bool ends_here = frame.kind == Frame::Kind::class_ && next.newline && word != Word::static_;
  if (is_modifier && !next.rest.empty() && !next.is_one_of("(,:}=;") && !ends_here) return;
  frame.expects_key = false;
  frame.after_key = true;
  if (frame.kind == Frame::Kind::object && is_special(word)) {
    const bool is_short = next.is_one_of(",}");
    if (is_short || next.c() == ':' || next.is_plain_assignment()) frame.special = true;
    if (is_short && !frame.pattern)
      walk.edits.wrap(token.start, std::string(token.text) + ":_caddis.l(", token.end, ")", true);
  }
  start_operand(walk, token);
  walk.operand.word = {};
  walk.extendable = false;
}

}  // namespace caddis::replay
