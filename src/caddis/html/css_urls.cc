#include "caddis/html/css_urls.h"

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::html {
namespace {

bool is_css_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_newline(char c) { return c == '\n' || c == '\r' || c == '\f'; }
bool is_name(char c) { return is_alnum(c) || c == '-' || c == '_' || static_cast<uint8_t>(c) >= 0x80; }

// The bytes at which the scan has to look: all others change nothing.
constexpr std::array<bool, 256> make_interesting() {
  std::array<bool, 256> table{};
  for (const char c : {'/', '"', '\'', '@', '\\', '(', ')', ';', '{', '}'}) table[static_cast<uint8_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 32] = true;
  for (int c = 0x80; c < 0x100; ++c) table[c] = true;
  for (const char c : {'-', '_'}) table[static_cast<uint8_t>(c)] = true;
  return table;
}

constexpr std::array<bool, 256> kInteresting = make_interesting();

}  // namespace

bool CssUrls::next(CssUrl& url) {
  while (at_ < css_.size()) {
    const char c = css_[at_];
    if (!kInteresting[static_cast<uint8_t>(c)]) {
      ++at_;
      continue;
    }
    switch (c) {
      case '/':
        skip_comment();
        break;
      case '"':
      case '\'':
        if (read_string(url, rule_ == Rule::import || (image_set_depth_ != 0 && image_set_depth_ == depth_)))
          return true;
        break;
      case '@':
        read_at_keyword();
        break;
      case '\\':
        at_ += 2;
        break;
      case '(':
        ++depth_;
        ++at_;
        break;
      case ')':
        if (depth_ > 0 && depth_-- == image_set_depth_) image_set_depth_ = 0;
        ++at_;
        break;
      case ';':
      case '{':
      case '}':
        rule_ = Rule::none;
        depth_ = image_set_depth_ = 0;
        ++at_;
        break;
      default:
        if (read_word(url)) return true;
        break;
    }
  }
  return false;
}

void CssUrls::skip_comment() {
  if (!css_.substr(at_).starts_with("/*")) {
    ++at_;
    return;
  }
  const size_t close = css_.find("*/", at_ + 2);
  at_ = close == std::string_view::npos ? css_.size() : close + 2;
}

void CssUrls::read_at_keyword() {
  const size_t start = ++at_;
  while (at_ < css_.size() && is_name(css_[at_])) ++at_;
  const std::string_view name = css_.substr(start, at_ - start);
  if (equals_ignore_case(name, "import"))
    rule_ = Rule::import;
  else
    rule_ = equals_ignore_case(name, "namespace") ? Rule::ignored : Rule::none;
}

// An identifier or function; true where it was url( ).
bool CssUrls::read_word(CssUrl& url) {
  const size_t start = at_;
  while (at_ < css_.size() && (is_name(css_[at_]) || css_[at_] == '\\')) at_ += css_[at_] == '\\' ? 2 : 1;
  if (at_ >= css_.size() || css_[at_] != '(') return false;
  const std::string_view name = css_.substr(start, at_ - start);
  ++at_;
  ++depth_;
  if (equals_ignore_case(name, "url")) return read_url(url, at_);
  if (equals_ignore_case(name, "image-set") || equals_ignore_case(name, "-webkit-image-set")) image_set_depth_ = depth_;
  return false;
}

size_t CssUrls::skip_space(size_t at) const {
  while (at < css_.size() && is_css_space(css_[at])) ++at;
  return at;
}

// From behind a backslash to behind its escape; the one white space that may end a number belongs to it.
size_t CssUrls::skip_escape(size_t at) const {
  if (hex_value(css_[at]) < 0) return at + 1;
  for (size_t digits = 0; digits < 6 && at < css_.size() && hex_value(css_[at]) >= 0; ++digits) ++at;
  return at < css_.size() && is_css_space(css_[at]) ? at + 1 : at;
}

// Behind "url(". A quoted one is a function with a string in it; an unquoted one is a token of its own.
bool CssUrls::read_url(CssUrl& url, size_t at) {
  at = skip_space(at);
  if (at < css_.size() && (css_[at] == '"' || css_[at] == '\'')) {
    at_ = at;
    return read_string(url, rule_ != Rule::ignored);
  }
  url = CssUrl();
  url.is_import = rule_ == Rule::import;
  url.start = at;
  bool bad = false;
  size_t end = at;
  while (at < css_.size() && css_[at] != ')') {
    const char c = css_[at];
    if (c == '\\' && at + 1 < css_.size() && !is_newline(css_[at + 1])) {
      if (end != at) bad = true;
      url.has_escape = true;
      end = at = skip_escape(at + 1);
      continue;
    }
    if (is_css_space(c)) {
      ++at;
      continue;
    }
    if (end != at || c == '"' || c == '\'' || c == '(' || c == '\\') bad = true;
    end = ++at;
  }
  if (depth_ > 0) --depth_;
  at_ = at < css_.size() ? at + 1 : css_.size();
  url.end = end;
  url.raw = css_.substr(url.start, url.end - url.start);
  if (rule_ == Rule::import) rule_ = Rule::none;
  return !bad && rule_ != Rule::ignored && !url.raw.empty();
}

// The string that opens here, to its closing quote; true where it is `wanted` as a URL.
bool CssUrls::read_string(CssUrl& url, bool wanted) {
  const char quote = css_[at_];
  const size_t start = ++at_;
  bool has_escape = false;
  while (at_ < css_.size() && css_[at_] != quote && !is_newline(css_[at_])) {
    if (css_[at_] == '\\') {
      has_escape = true;
      at_ += at_ + 2 < css_.size() && css_[at_ + 1] == '\r' && css_[at_ + 2] == '\n' ? 2 : 1;
    }
    ++at_;
  }
  at_ = std::min(at_, css_.size());
  const size_t end = at_;
  const bool closed = at_ < css_.size() && css_[at_] == quote;
  if (closed) ++at_;
  if (!wanted) return false;
  // The rest of an @import's prelude holds no further URL.
  const bool is_import = rule_ == Rule::import;
  if (is_import) rule_ = Rule::none;
  // A line end makes it a bad string; the end of the text does not.
  if (!closed && end < css_.size()) return false;
  url = CssUrl{css_.substr(start, end - start), start, end, quote, is_import, has_escape};
  return end > start;
}

std::string css_unescape(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (size_t at = 0; at < raw.size(); ++at) {
    if (raw[at] != '\\') {
      out += raw[at];
      continue;
    }
    if (++at >= raw.size()) break;
    if (is_newline(raw[at])) {
      if (raw[at] == '\r' && at + 1 < raw.size() && raw[at + 1] == '\n') ++at;
      continue;
    }
    if (hex_value(raw[at]) < 0) {
      out += raw[at];
      continue;
    }
    char32_t value = 0;
    size_t digits = 0;
    for (; digits < 6 && at < raw.size() && hex_value(raw[at]) >= 0; ++digits, ++at) {
      value = value * 16 + static_cast<char32_t>(hex_value(raw[at]));
    }
    append_utf8(out, value == 0 ? 0xFFFD : value);
    // One white space ends the number and belongs to it.
    if (at < raw.size() && !is_css_space(raw[at])) --at;
  }
  return out;
}

}  // namespace caddis::html
