#include "caddis/replay/jsonp.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/percent.h"

namespace caddis::replay {
namespace {

constexpr size_t kLongestName = 256;

bool is_name_char(char c) {
  return is_alnum(c) || c == '_' || c == '$' || c == '.' || c == '[' || c == ']' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// A function as scripts name it: "jQuery1_2", "angular.callbacks._0", "handlers[3]". Not more than that: what comes
// from an address becomes part of a script.
bool is_function(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || is_digit(name.front())) return false;
  return std::ranges::all_of(name, [](char c) { return is_name_char(c) && static_cast<unsigned char>(c) < 0x80; }) &&
         std::ranges::count(name, '[') == std::ranges::count(name, ']') && !name.ends_with('.');
}

// Passes over blanks, comments and empty statements.
size_t skip_blanks(std::string_view script, size_t at) {
  for (;;) {
    while (at < script.size() && (is_space(script[at]) || script[at] == ';')) ++at;
    const std::string_view rest = script.substr(at);
    if (rest.starts_with("/*"))
      at = std::min(script.find("*/", at + 2), script.size() - 2) + 2;
    else if (rest.starts_with("//"))
      at = std::min(script.find('\n', at), script.size());
    else
      return at;
  }
}

struct Call {
  std::string_view name;    // empty: the script does not begin with a call
  std::string_view tested;  // the same, in "typeof name === 'function' && name(…)"
};

std::string_view name_at(std::string_view script, size_t at) {
  size_t end = at;
  while (end < script.size() && is_name_char(script[end])) ++end;
  return script.substr(at, end - at);
}

// "/**/name(…", "typeof name === 'function' && name(…", "try{name(…", "window.name && name(…".
Call call_at_front(std::string_view script) {
  constexpr size_t kSeen = 4096;
  script = script.substr(0, kSeen);
  size_t at = skip_blanks(script, script.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  for (const std::string_view begin : {"try", "{", "typeof ", "if", "(", "typeof "})
    if (script.substr(at).starts_with(begin)) at = skip_blanks(script, at + begin.size());
  const std::string_view first = name_at(script, at);
  if (first.empty()) return {};
  size_t next = skip_blanks(script, at + first.size());
  if (script.substr(next).starts_with('(')) return {first, {}};
  const size_t both = script.find("&&", next);
  if (both == std::string_view::npos || script.find_first_of("(){}", next) < both) return {};
  next = skip_blanks(script, both + 2);
  const std::string_view second = name_at(script, next);
  const bool is_call = script.substr(skip_blanks(script, next + second.size())).starts_with('(');
  return is_call ? Call{second, first} : Call{};
}

// The value of a parameter; nothing where it is not there.
std::optional<std::string> value_of(const url::Url& url, std::string_view name) {
  std::string_view query = url.search();
  if (query.starts_with('?')) query.remove_prefix(1);
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    const size_t equals = one.find('=');
    if (equals != std::string_view::npos && one.substr(0, equals) == name)
      return url::percent_decode(one.substr(equals + 1));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
  }
  return std::nullopt;
}

}  // namespace

std::optional<CallbackChange> changed_callback(std::string_view script, const url::Url& captured,
                                               const url::Url& asked) {
  if (captured.search() == asked.search()) return std::nullopt;
  const Call call = call_at_front(script);
  if (call.name.empty()) return std::nullopt;
  std::string_view query = captured.search();
  if (query.starts_with('?')) query.remove_prefix(1);
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    const size_t equals = one.find('=');
    if (equals == std::string_view::npos || url::percent_decode(one.substr(equals + 1)) != call.name) continue;
    const auto wanted = value_of(asked, one.substr(0, equals));
    if (!wanted || *wanted == call.name || !is_function(*wanted)) continue;
    return CallbackChange{std::string(call.name), *wanted};
  }
  return std::nullopt;
}

std::string with_callback(std::string_view script, const CallbackChange& change) {
  const Call call = call_at_front(script);
  std::string out;
  size_t copied = 0;
  for (const std::string_view name : {call.tested, call.name}) {
    if (name != change.from) continue;
    const auto at = static_cast<size_t>(name.data() - script.data());
    out += script.substr(copied, at - copied);
    out += change.to;
    copied = at + name.size();
  }
  out += script.substr(copied);
  return out;
}

}  // namespace caddis::replay
