// Turns the links of a captured page into addresses of the archive: "/<collection>/<timestamp><modifier>/<absolute
// url>".
//
// Links are always made absolute: a page's own base, ".." beyond the root and frames then need no thought in the
// browser. Addresses begin with '/', so that the archive works under any host name. One object per document; one thread
// at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/replay/address.h"
#include "caddis/url/query_encoder.h"
#include "caddis/url/url.h"

namespace caddis::replay {

class LinkRewriter {
 public:
  // `prefix` is "/<collection>/", `timestamp` that of the page's capture.
  LinkRewriter(std::string_view prefix, std::string_view timestamp, url::Url page, Modifier page_modifier);

  // The charset of the document (a name of the Encoding Standard), in which links may hold bytes that are not ASCII.
  void set_charset(std::string_view charset);
  // <base href>: later links are resolved against it.
  void set_base(std::string_view href);
  // What links are resolved against; to be put back after a document inside the document.
  const url::Url& base() const { return base_; }
  void restore_base(url::Url base) { base_ = std::move(base); }

  // The address for a link (as in the document, blanks around it allowed), or nothing where it has to stay: empty, only
  // a fragment, of a scheme that is not fetched (data:, javascript:, mailto:), or no URL.
  std::optional<std::string> rewrite(std::string_view link, Modifier modifier) const;
  // For a link that is followed by a person: the modifier of the page, or of a page in its own window where a frame is
  // left.
  std::optional<std::string> rewrite_navigation(std::string_view link, std::string_view target) const;
  // The address of a URL that is absolute already.
  std::string address(std::string_view absolute_url, Modifier modifier) const;

  // An address that rewrite() gave for `link`, spelled so that the client script can tell how the link was: browsers
  // take "." segments out of a path. One in front: `link` is a path of the same site, two: of the same folder, three:
  // only its scheme was left out.
  std::string with_mark(std::string_view link, std::string address) const;

  Modifier page_modifier() const { return page_modifier_; }
  const url::Url& page() const { return page_; }
  std::string_view prefix() const { return prefix_; }
  std::string_view timestamp() const { return timestamp_; }
  std::string_view charset() const { return charset_; }

 private:
  std::string prefix_;
  std::string timestamp_;
  url::Url page_;
  url::Url base_;
  Modifier page_modifier_;
  std::string charset_ = "UTF-8";
  std::unique_ptr<url::QueryEncoder> encoder_;
};

}  // namespace caddis::replay
