#include "caddis/extract/js_claims.h"

#include <algorithm>
#include <string_view>

#include "caddis/base/strings.h"

namespace caddis::extract {
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words words) { return std::ranges::find(words, word) != words.end(); }

bool is_named(const WordList& list, const JsString& string) {
  return list.has(string.word) || list.has(string.owner, string.word);
}

// `location = "…"`, but no other thing's: `city.location = "…"`, `var location = "…"`.
bool is_location(const JsString& string, const ScriptRules& rules) {
  return (string.before == '=' || string.before == '(') &&
         (string.owner.empty() ? rules.locations.has(string.word) : rules.locations.has(string.owner, string.word));
}

std::string_view without_space(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool starts_with_one_of(std::string_view text, Words starts) {
  return std::ranges::any_of(starts, [text](std::string_view start) { return text.starts_with(start); });
}

}  // namespace

Claim claim_of(const JsString& string, const ScriptRules& rules) {
  if (is_location(string, rules)) return Claim::url;
  switch (string.before) {
    case '=':
      return is_named(rules.properties, string) ? Claim::likely : Claim::none;
    case '(':
      return is_named(rules.functions, string) ? Claim::likely : Claim::none;
    case ':':
      return is_named(rules.keys, string) ? Claim::likely : Claim::none;
    default:
      return Claim::none;
  }
}

bool is_import(const JsString& string) {
  if (string.call == "importScripts") return true;
  if (string.before != '(') return false;
  return is_one_of(string.word, {"import", "from"}) || (string.word == "resolve" && string.owner == "meta");
}

bool is_beside_script(const JsString& string) {
  std::string_view behind = without_space(string.behind);
  if (string.is_part || !behind.starts_with(',')) return false;
  behind.remove_prefix(1);
  return without_space(behind).starts_with("import.meta.url");
}

bool names_module(const JsString& string) { return string.before == ':' && is_one_of(string.word, {"mod", "module"}); }

bool is_compared(const JsString& string) {
  return string.before == '~' || (string.before == '\0' && string.word == "case") ||
         starts_with_one_of(without_space(string.behind), {"==", "!="}) ||
         is_one_of(string.call, {"indexOf", "lastIndexOf", "includes", "startsWith", "endsWith", "match", "search",
                                 "split", "replace", "test"});
}

bool holds_strings(const JsString& string) {
  const std::string_view raw = string.raw;
  if (starts_with_one_of(raw, {"{\"", "{\\\"", "[{", "[\"", "[\\\""})) return true;
  if (string.before != '(') return false;
  // The parts of a page that Next.js hands over: `self.__next_f.push([1, "…"])`.
  if (string.word == "push" && string.owner == "__next_f") return true;
  return is_one_of(string.word, {"parse", "decodeURIComponent"}) && starts_with_one_of(raw, {"{", "[", "%7B", "%5B"});
}

void pass_on_place(const JsString& previous, JsString& string) {
  const bool is_second =
      string.before == ',' && previous.before == '(' && !previous.is_part && previous.word.data() == string.call.data();
  if (!is_second) return;
  if (previous.raw == "GET") {
    string.before = '(';
    string.word = previous.word;
    string.owner = previous.owner;
  } else if (is_one_of(previous.word, {"setAttribute", "attr", "prop"})) {
    string.before = '=';
    string.word = previous.raw;
    string.owner = {};
  }
}

}  // namespace caddis::extract
