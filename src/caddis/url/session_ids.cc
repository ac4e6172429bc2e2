#include "caddis/url/session_ids.h"

#include <algorithm>
#include <vector>

#include "caddis/base/strings.h"

namespace caddis::url {
namespace {

constexpr size_t kNone = std::string_view::npos;

size_t count_alnum(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if_not(text, is_alnum) - text.begin());
}

size_t count_alpha(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if_not(text, is_alpha) - text.begin());
}

// The last position before `end` at which `word` (lower case) stands, in any case.
size_t rfind_word(std::string_view text, std::string_view word, size_t end) {
  if (text.size() < word.size()) return kNone;
  for (size_t at = std::min(end, text.size() - word.size() + 1); at-- > 0;) {
    if (to_lower(text[at]) == word[0] && starts_with_ignore_case(text.substr(at), word)) return at;
  }
  return kNone;
}

bool ends_parameter(std::string_view text, size_t at) {
  return at == text.size() || (at < text.size() && text[at] == '&');
}

// Removes [begin, end) and the '&' behind it.
bool cut(std::string& text, size_t begin, size_t end) {
  if (end < text.size()) ++end;
  text.erase(begin, end - begin);
  return true;
}

// The length of "aspsessionid<8>=<24>" at the front of `text`, 0 where it is none.
size_t aspsessionid_length(std::string_view text) {
  constexpr std::string_view kName = "aspsessionid";
  constexpr size_t kEquals = kName.size() + 8;
  constexpr size_t kLength = kEquals + 1 + 24;
  if (text.size() < kLength || !starts_with_ignore_case(text, kName) || text[kEquals] != '=') return 0;
  if (count_alpha(text.substr(kName.size(), 8)) != 8 || count_alpha(text.substr(kEquals + 1, 24)) != 24) return 0;
  return kLength;
}

// "(24)" at the front of `text`.
bool begins_with_id24(std::string_view text) {
  return text.size() >= 26 && text[0] == '(' && text[25] == ')' && count_alnum(text.substr(1, 24)) == 24;
}

// The length of "(S(24)F(24))/" or "(24)/" at the front of `text`, 0 where it is neither.
size_t cookieless_length(std::string_view text, bool nested) {
  size_t at = 0;
  if (nested) {
    if (!text.starts_with('(')) return 0;
    at = 1;
    while (at < text.size() && is_alpha(text[at]) && begins_with_id24(text.substr(at + 1))) at += 27;
    if (at == 1 || at >= text.size() || text[at] != ')') return 0;
    ++at;
  } else {
    if (!begins_with_id24(text)) return 0;
    at = 26;
  }
  return at < text.size() && text[at] == '/' ? at + 1 : 0;
}

// The first place of a word at or behind a position that only moves towards the front: each byte is looked at once,
// however many candidates a hostile URL has.
class FirstBehind {
 public:
  FirstBehind(std::string_view text, std::string_view word) : text_(text), word_(word), seen_from_(text.size()) {}

  size_t operator()(size_t from) {
    while (seen_from_ > from) {
      --seen_from_;
      if (starts_with_ignore_case(text_.substr(seen_from_), word_)) found_ = seen_from_;
    }
    return found_;
  }

 private:
  std::string_view text_;
  std::string_view word_;
  size_t seen_from_;
  size_t found_ = kNone;
};

// Behind the segment stands an .aspx page, one character at least before the dot, no '?' before it.
bool cut_aspx_segment(std::string& path, bool nested) {
  const std::string_view text = path;
  FirstBehind aspx(text, ".aspx"), mark(text, "?");
  for (size_t slash = text.rfind("/("); slash != kNone; slash = slash == 0 ? kNone : text.rfind("/(", slash - 1)) {
    const size_t length = cookieless_length(text.substr(slash + 1), nested);
    const size_t page = slash + 1 + length;
    if (length == 0) continue;
    const size_t dot = aspx(page + 1);
    if (dot == kNone || dot > mark(page)) continue;
    path.erase(slash + 1, length);
    return true;
  }
  return false;
}

bool is_session_parameter(std::string_view parameter) {
  const size_t equals = parameter.find('=');
  if (equals == kNone) return false;
  const std::string_view name = parameter.substr(0, equals);
  const std::string_view value = parameter.substr(equals + 1);
  if (equals_ignore_case(name, "jsessionid") || equals_ignore_case(name, "phpsessid") ||
      equals_ignore_case(name, "sid")) {
    return value.size() == 32 && count_alnum(value) == 32;
  }
  return aspsessionid_length(parameter) == parameter.size();
}

}  // namespace

bool may_hold_session_id(std::string_view text) {
  for (size_t at = text.find('='); at != kNone; at = text.find('=', at + 1)) {
    if (at > 0 && to_lower(text[at - 1]) == 'd') return true;
    if (at >= 20 && to_lower(text[at - 20]) == 'a' && aspsessionid_length(text.substr(at - 20)) != 0) return true;
  }
  return text.find("/(") != kNone;
}

bool cut_value32(std::string& text, std::initializer_list<std::string_view> names, size_t from) {
  size_t found = kNone;
  size_t found_end = 0;
  for (const std::string_view name : names) {
    const std::string word = std::string(name) + "=";
    for (size_t at = rfind_word(text, word, kNone); at != kNone && at >= from; at = rfind_word(text, word, at)) {
      const size_t value = at + word.size();
      if (count_alnum(std::string_view(text).substr(value)) != 32 || !ends_parameter(text, value + 32)) continue;
      if (found == kNone || at > found) {
        found = at;
        found_end = value + 32;
      }
      break;
    }
  }
  return found != kNone && cut(text, found, found_end);
}

bool cut_aspsessionid(std::string& text, size_t from) {
  for (size_t at = rfind_word(text, "aspsessionid", kNone); at != kNone && at >= from;
       at = rfind_word(text, "aspsessionid", at)) {
    const size_t length = aspsessionid_length(std::string_view(text).substr(at));
    if (length != 0 && ends_parameter(text, at + length)) return cut(text, at, at + length);
  }
  return false;
}

bool cut_cfid(std::string& text, size_t from) {
  FirstBehind separator(text, "&");
  for (size_t at = rfind_word(text, "cfid=", kNone); at != kNone && at >= from; at = rfind_word(text, "cfid=", at)) {
    const size_t token = separator(at);
    if (token == kNone || token == at + 5 ||
        !starts_with_ignore_case(std::string_view(text).substr(token + 1), "cftoken="))
      continue;
    const size_t end = std::min(text.find('&', token + 1), text.size());
    if (end > token + 9) return cut(text, at, end);
  }
  return false;
}

bool cut_aspx_segments(std::string& path) {
  if (!contains_ignore_case(path, ".aspx")) return false;
  const bool nested = cut_aspx_segment(path, true);
  return cut_aspx_segment(path, false) || nested;
}

bool drop_path_parameter(std::string& path) {
  const size_t at = rfind_word(path, ";jsessionid=", kNone);
  if (at == kNone) return false;
  const size_t value = at + 12;
  if (count_alnum(std::string_view(path).substr(value)) != 32) return false;
  size_t end = value + 32;
  if (end < path.size() && path[end] == '.') end = std::min(path.find_first_of("/;", end), path.size());
  if (end < path.size() && path[end] != '/' && path[end] != ';') return false;
  path.erase(at, end - at);
  return true;
}

bool drop_query_parameters(std::string& query) {
  const std::vector<std::string_view> parameters = split(query, '&');
  std::string out;
  size_t dropped = 0, kept = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const bool pair = i + 1 < parameters.size() && starts_with_ignore_case(parameters[i], "cfid=") &&
                      starts_with_ignore_case(parameters[i + 1], "cftoken=");
    if (pair) ++i;
    if (pair || is_session_parameter(parameters[i])) {
      ++dropped;
      continue;
    }
    if (kept++ > 0) out += '&';
    out += parameters[i];
  }
  if (dropped > 0) query = std::move(out);
  return dropped > 0;
}

}  // namespace caddis::url
