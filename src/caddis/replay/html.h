// Rewrites a captured HTML page (or SVG, XHTML) for replay: only the attribute values and style sheets that hold URLs
// are replaced, everything else is copied byte for byte from the source.
//
// Links become addresses of the archive, integrity and policies written for the live site lose their effect (their
// attributes are renamed to data-archived-…), what a page wrote stands beside its address for selectors (archived-href), scripts are passed through script_rewriter.h, and `head_insert` is put in
// front of everything that a browser would load. Pure, linear time, any thread. The source is in an ASCII-compatible charset:
// see LinkRewriter.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

struct HtmlOptions {
  std::string_view head_insert;  // markup; empty for none
  bool xml = false;              // elements do not change how text is read, as in SVG and XHTML
  bool scripts = false;          // rewritten for the client script, which has to be in `head_insert`
  int depth = 0;                 // of srcdoc in srcdoc
};

std::string rewrite_html(std::string_view source, LinkRewriter& links, const HtmlOptions& options = {});

// The same for a document that is not in memory as a whole. Memory does not grow with it, whatever is in it: where
// the rewritten values of one tag or style sheet have become megabytes, the further ones stay as they were captured.
class HtmlRewriter {
 public:
  // `links` and what `options` views must outlive this.
  HtmlRewriter(LinkRewriter& links, const HtmlOptions& options);
  HtmlRewriter(HtmlRewriter&&) noexcept;
  ~HtmlRewriter();

  // Rewrites from the front of `source` and appends to `out`, until that has `enough` bytes or what follows may go on
  // behind `source`. Returns how many bytes of `source` are done: the rest is given again, with more behind it. With
  // `last` nothing comes behind it, and all is done in the end.
  size_t rewrite(std::string_view source, bool last, size_t enough, std::string& out);
  // Where rewrite() does nothing and no more can be held: copies of the token at the front what can be copied, and
  // what follows of it as it comes.
  size_t pass_token(std::string_view source, std::string& out);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// "5; url=/next" with its URL replaced; nothing where there is none to replace.
std::optional<std::string> rewrite_refresh(std::string_view content, const LinkRewriter& links);
// The URLs of a srcset (HTML Standard, 4.8.4.2.1), descriptors kept.
std::string rewrite_srcset(std::string_view srcset, const LinkRewriter& links, Modifier modifier);

}  // namespace caddis::replay
