// The URLs of a style sheet: url(), @import and the strings of image-set(), by the tokens of CSS Syntax Level 3
// (https://www.w3.org/TR/css-syntax-3/). Comments and other strings hold none; nor does @namespace, whose URLs are
// names.
//
// The text is borrowed, UTF-8 or any charset in which ASCII bytes stand for themselves. Says where each URL stands, so
// that a rewriter can splice. Any text is accepted; time is linear. Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caddis::html {

struct CssUrl {
  std::string_view raw;  // as written: between the quotes or the parentheses, escapes included
  size_t start = 0;      // [start, end) of `raw` in the text
  size_t end = 0;
  char quote = '\0';        // '"', '\'' or 0 for an unquoted url()
  bool is_import = false;   // of an @import: a style sheet; else an image, a font …
  bool has_escape = false;  // then css_unescape() is needed
};

class CssUrls {
 public:
  explicit CssUrls(std::string_view css) : css_(css) {}
  // The next URL; false at the end.
  bool next(CssUrl& url);

 private:
  enum class Rule { none, import, ignored };

  bool read_word(CssUrl& url);
  bool read_string(CssUrl& url, bool wanted);
  bool read_url(CssUrl& url, size_t at);
  void read_at_keyword();
  void skip_comment();
  size_t skip_space(size_t at) const;
  size_t skip_escape(size_t at) const;

  std::string_view css_;
  size_t at_ = 0;
  Rule rule_ = Rule::none;        // of the at-rule whose prelude we are in
  unsigned depth_ = 0;            // of open parentheses
  unsigned image_set_depth_ = 0;  // the depth within image-set( ), 0 outside
};

// `raw` with its escapes resolved ("\26" and "\)"; an escaped line end vanishes).
std::string css_unescape(std::string_view raw);

}  // namespace caddis::html
