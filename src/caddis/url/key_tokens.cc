#include "caddis/url/key_tokens.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::url {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Where the word that begins at `from` ends.
Result<size_t> end_of_word(std::string_view text, size_t from) {
  size_t at = from;
  while (at < text.size() && kBlanks.find(text[at]) == std::string_view::npos) {
    if (text[at] == '(') {
      TRY(at, closing_parenthesis(text, at));
    }
    ++at;
  }
  return at;
}

// Takes "(…)" from the front of `rest`.
Result<void> take_arguments(std::string_view& rest, KeyToken& token) {
  if (!rest.starts_with('(')) return {};
  TRY(const size_t close, closing_parenthesis(rest, 0));
  token.has_arguments = true;
  token.arguments = rest.substr(1, close - 1);
  rest.remove_prefix(close + 1);
  return {};
}

// Where the guard at the front of `text`, its '@' included, ends.
Result<size_t> end_of_guard(std::string_view text) {
  size_t at = 1;
  while (at < text.size() && text[at] != '@') {
    if (text[at] == '(') {
      TRY(at, closing_parenthesis(text, at));
    }
    ++at;
  }
  return at;
}

Result<KeyToken> read_token(std::string_view word, size_t at) {
  KeyToken token{.at = at, .text = word, .name = {}, .arguments = {}, .guards = {}};
  std::string_view rest = word;
  if (rest.starts_with('+') || rest.starts_with('-')) {
    token.sign = rest.front();
    rest.remove_prefix(1);
  }
  token.name = rest.substr(0, rest.find_first_of("(@"));
  rest.remove_prefix(token.name.size());
  TRY_VOID(take_arguments(rest, token));
  while (rest.starts_with('@')) {
    TRY(const size_t end, end_of_guard(rest));
    token.guards.push_back(rest.substr(1, end - 1));
    rest.remove_prefix(end);
  }
  if (!rest.empty())
    return fail(ErrorCode::config, "'" + std::string(rest) + "' stands behind the arguments of '" +
                                       std::string(token.name) + "'; put a blank between two steps");
  return token;
}

}  // namespace

Result<std::vector<KeyToken>> key_tokens(std::string_view notation) {
  std::vector<KeyToken> tokens;
  for (size_t at = 0;;) {
    at = std::min(notation.find_first_not_of(kBlanks, at), notation.size());
    if (at == notation.size()) return tokens;
    TRY(const size_t end, end_of_word(notation, at));
    TRY(KeyToken token, read_token(notation.substr(at, end - at), at));
    tokens.push_back(std::move(token));
    at = end;
  }
}

Result<size_t> closing_parenthesis(std::string_view text, size_t open) {
  size_t depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '(')
      ++depth;
    else if (text[at] == ')' && --depth == 0)
      return at;
  }
  const std::string_view before = text.substr(0, open + 1);
  return fail(ErrorCode::config, "the parenthesis of '" + std::string(before.substr(before.find_last_of(kBlanks) + 1)) +
                                     "' is not closed; one that is not to be counted has a backslash before it");
}

std::vector<std::string> list_items(std::string_view arguments) {
  std::vector<std::string> items(1);
  for (size_t at = 0; at < arguments.size(); ++at) {
    const char c = arguments[at];
    if (is_space(c))
      items.emplace_back();
    else if (c == '\\' && at + 1 < arguments.size())
      items.back() += arguments[++at];
    else
      items.back() += c;
  }
  std::erase(items, "");
  return items;
}

std::string escape_item(std::string_view item) {
  std::string out;
  for (const char c : item) {
    if (c == '(' || c == ')' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace caddis::url
