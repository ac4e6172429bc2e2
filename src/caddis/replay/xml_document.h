// Rewrites the URLs of an XML document that a browser follows: its style sheets (<?xml-stylesheet?>), the parts of a
// style sheet of XSLT (xsl:import, xsl:include, and the markup that it makes), and elements of XHTML and SVG in it.
// XHTML and SVG documents themselves are html.h's.
//
// Links of other vocabularies (feeds, site maps, XLink) are data: nothing fetches them, and they stay as captured, as
// does everything else. Linear time; memory does not grow with the document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/replay/link_rewriter.h"
#include "caddis/replay/xml_splicer.h"

namespace caddis::replay {

// One thread at a time.
class XmlRewriter : public XmlSplicer {
 public:
  // `links` must outlive this.
  explicit XmlRewriter(const LinkRewriter& links) : links_(links) {}

 private:
  enum class Vocabulary : uint8_t { other, html, svg, xslt };
  // A prefix (empty: none), for what it stands in an element and below it.
  struct Binding {
    size_t depth;
    std::string prefix;
    Vocabulary vocabulary;
  };

  void on_start(const html::Token& tag) override;
  void on_end() override;
  void on_instruction(const html::Token& instruction, std::string_view content) override;

  void bind(const html::Token& tag);
  Vocabulary vocabulary_of(std::string_view name) const;
  void on_markup(const html::Token& tag);

  const LinkRewriter& links_;
  size_t depth_ = 0;  // of the open elements
  bool is_xslt_ = false;
  std::vector<Binding> bindings_;  // the innermost last
};

// Whether a document of XML that begins so is one of XHTML, whatever its type says.
bool has_xhtml_root(std::string_view front);

}  // namespace caddis::replay
