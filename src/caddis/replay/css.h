// Rewrites the URLs of a style sheet (CSS Syntax Module Level 3): url(…), @import, and the strings of image-set().
// Selectors like [href^="http"] are made to ask for what the page wrote (html_links.h).
// Everything else stays byte for byte. Comments, other strings and @namespace (whose URL is a name) are left alone.
//
// Linear time. For ASCII-compatible charsets.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

// Appends the rewritten `css` to `out`. True where anything was changed. Where the addresses have become megabytes,
// further links stay as they are. Any thread.
bool rewrite_css(std::string_view css, const LinkRewriter& links, std::string& out);

// The same for a sheet that is not in memory as a whole. One thread at a time.
class CssRewriter {
 public:
  // `links` must outlive this.
  explicit CssRewriter(const LinkRewriter& links);
  CssRewriter(CssRewriter&&) noexcept;
  ~CssRewriter();

  // Rewrites from the front of `css` and appends to `out`, until that has `enough` bytes or what follows may go on
  // behind `css`. Returns how many bytes of `css` are done: the rest is given again, with more behind it. With `last`
  // nothing comes behind it, and all is done in the end.
  size_t rewrite(std::string_view css, bool last, size_t enough, std::string& out);
  // Where rewrite() does nothing and no more can be held: copies what is held, up to a place where going on gives
  // sense.
  size_t pass_token(std::string_view css, std::string& out);
  // Whether any address was replaced.
  bool changed() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace caddis::replay
