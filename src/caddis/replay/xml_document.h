// Rewrites the URLs of an XML document that a browser follows: its style sheets (<?xml-stylesheet?>), the parts of a
// style sheet of XSLT (xsl:import, xsl:include, and the markup that it makes), and elements of XHTML and SVG in it.
// XHTML and SVG documents themselves are html.h's. Scripts in it, and in the markup of a sheet, are rewritten, and the client script
// is put in front of them.
//
// Links of other vocabularies (feeds, site maps, XLink) are data: nothing fetches them, and they stay as captured, as
// does everything else. Linear time; memory does not grow with the document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/replay/html_links.h"
#include "caddis/replay/link_rewriter.h"
#include "caddis/replay/page_scripts.h"
#include "caddis/replay/sheet_client.h"
#include "caddis/replay/xml_splicer.h"

namespace caddis::replay {

// The client script's tags, each "<script …></script>"; empty: there is none, and scripts stay as they are.
struct XmlClients {
  std::string document;  // for a document whose scripts run, with the namespace of XHTML
  std::string sheet;     // for what a sheet of XSLT makes of a document, whose address it finds itself
};

// One thread at a time.
class XmlRewriter : public XmlSplicer {
 public:
  // `links` must outlive this.
  explicit XmlRewriter(const LinkRewriter& links, XmlClients clients = {})
      : links_(links), clients_(std::move(clients)) {}

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
  void on_text(const html::Token& text) override;
  void on_instruction(const html::Token& instruction, std::string_view content) override;

  void bind(const html::Token& tag);
  Vocabulary vocabulary_of(std::string_view name) const;
  bool is_sheet(const html::Token& root) const;
  void on_start_in_sheet(const html::Token& tag, Vocabulary vocabulary);
  void on_sheet_instruction(const html::Token& tag);
  void put_sheet_client(const html::Token& tag, size_t at);
  void on_markup(const html::Token& tag);
  void on_attribute(const html::Token& tag, const html::Attribute& attribute);
  void on_link(LinkKind kind, const html::Attribute& attribute);

  const LinkRewriter& links_;
  const XmlClients clients_;
  SheetClient sheet_client_;
  size_t depth_ = 0;  // of the open elements
  bool is_xslt_ = false;
  bool has_scripts_ = false;  // written for the client
  PageScript in_script_ = PageScript::none;
  std::vector<Binding> bindings_;  // the innermost last
};

// Whether a document of XML that begins so is one of XHTML, whatever its type says.
bool has_xhtml_root(std::string_view front);

}  // namespace caddis::replay
