#include "caddis/replay/long_token.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::replay {

void LongToken::begin(std::string_view source, bool foreign) {
  element_.clear();
  in_ = In::name;
  if (source.starts_with("<!--")) {
    kind_ = Kind::comment;
  } else if (foreign && source.starts_with("<![CDATA[")) {
    kind_ = Kind::cdata;
  } else if (source.size() > 2 && (is_alpha(source[1]) || (source[1] == '/' && is_alpha(source[2])))) {
    kind_ = Kind::tag;
    constexpr size_t kLongestName = 32;  // of those that matter
    for (size_t i = 1; i < std::min(source.size(), kLongestName) && is_alnum(source[i]); ++i)
      element_ += to_lower(source[i]);
  } else {
    kind_ = Kind::declaration;
  }
}

size_t LongToken::find_end(std::string_view source) {
  switch (kind_) {
    case Kind::none:
      return 0;
    case Kind::comment:
      return end_of_comment(source);
    case Kind::cdata:
    case Kind::declaration: {
      const std::string_view mark = kind_ == Kind::cdata ? "]]>" : ">";
      const size_t at = source.find(mark);
      if (at == std::string_view::npos) return source.size() - std::min(source.size(), mark.size() - 1);
      kind_ = Kind::none;
      return at + mark.size();
    }
    case Kind::tag:
      return end_of_tag(source);
  }
  return 0;
}

size_t LongToken::end_of_comment(std::string_view source) {
  for (size_t at = 0; (at = source.find("--", at)) != std::string_view::npos; ++at) {
    const std::string_view rest = source.substr(at + 2);
    const size_t end = rest.starts_with(">") ? 1 : rest.starts_with("!>") ? 2 : 0;
    if (end == 0) continue;
    kind_ = Kind::none;
    return at + 2 + end;
  }
  return source.size() - std::min<size_t>(source.size(), 3);
}

size_t LongToken::end_of_tag(std::string_view source) {
  for (size_t at = 0; at < source.size(); ++at) {
    const char c = source[at];
    if (in_ == In::quoted) {
      if (c == quote_) in_ = In::between;
      continue;
    }
    if (in_ == In::value_start && (is_space(c) || c == '"' || c == '\'')) {
      quote_ = c;
      if (!is_space(c)) in_ = In::quoted;
      continue;
    }
    if (c == '>') {
      kind_ = Kind::none;
      return at + 1;
    }
    if (in_ == In::value_start || in_ == In::unquoted)
      in_ = is_space(c) ? In::between : In::unquoted;
    else if (c == '=' && in_ == In::name)
      in_ = In::value_start;
    else
      in_ = is_space(c) || c == '/' ? In::between : In::name;
  }
  return source.size();
}

}  // namespace caddis::replay
