// Rewrites the URLs of a manifest of MPEG-DASH (ISO/IEC 23009-1) that lead away from it: BaseURL, Location and
// PatchLocation, the templates and lists of segments, and what XLink includes.
//
// A URL that is relative is resolved by the player against the bases around it, and stays: those that are rewritten lead
// into the archive, as does the manifest's own address. Templates keep their "$Number$". Everything else stays byte for
// byte. Linear time; memory does not grow with the manifest.
#pragma once

#include <vector>

#include "caddis/replay/link_rewriter.h"
#include "caddis/replay/xml_splicer.h"

namespace caddis::replay {

// One thread at a time.
class DashRewriter : public XmlSplicer {
 public:
  // `links` must outlive this.
  explicit DashRewriter(const LinkRewriter& links) : links_(links) {}

 private:
  // The base that a BaseURL gives to the element it stands in.
  struct Base {
    size_t depth;
    url::Url url;
  };

  void on_start(const html::Token& tag) override;
  void on_end() override;
  void on_text(const html::Token& text) override;

  const url::Url& base() const { return bases_.empty() ? links_.page() : bases_.back().url; }
  void replace_url(const html::Attribute& attribute);
  void replace_urls(const html::Attribute& attribute);

  const LinkRewriter& links_;
  size_t depth_ = 0;  // of the open elements
  bool is_base_ = false;
  std::vector<Base> bases_;  // the innermost last
};

}  // namespace caddis::replay
