#include <string>

#include "caddis/base/strings.h"
#include "caddis/documents/embedded.h"
#include "caddis/documents/fields.h"
#include "caddis/documents/markup.h"
#include "caddis/documents/package_links.h"
#include "caddis/documents/zip_package.h"
#include "caddis/html/tag.h"

namespace caddis::documents {
namespace {

using html::local_name;
using html::Token;

// By its name without a prefix.
std::string_view local_value_of(const Token& tag, std::string_view name) {
  for (const html::Attribute& attribute : tag.attributes)
    if (local_name(attribute.name) == name) return attribute.value;
  return {};
}

// "…/relationships/image" is shown with the document, "…/hyperlink" is clicked on.
LinkKind kind_of(std::string_view relationship) {
  const std::string_view name = relationship.substr(relationship.rfind('/') + 1);
  const bool is_part = name == "image" || name == "video" || name == "audio" || name == "media";
  return is_part ? LinkKind::embed : LinkKind::navigation;
}

void read_relationships(std::string_view part, LinkCollector& links) {
  each_token(part, [&](const Token& token, std::string_view) {
    if (token.kind != Token::Kind::start_tag || local_name(token.name) != "relationship") return;
    if (!equals_ignore_case(local_value_of(token, "targetmode"), "External")) return;
    links.add(local_value_of(token, "target"), kind_of(local_value_of(token, "type")));
  });
}

// Fields of Word and formulas of Excel: `instrText` has a piece of a field's instruction, `fldChar` ends it.
void read_content(std::string_view part, LinkCollector& links) {
  std::string element, instruction;
  each_token(part, [&](const Token& token, std::string_view text) {
    if (token.kind == Token::Kind::text) {
      if (element == "instrtext") instruction += text;
      if (element == "f") read_formula(text, links);
      return;
    }
    element = token.kind == Token::Kind::start_tag ? local_name(token.name) : std::string_view();
    if (element == "fldsimple") read_field(local_value_of(token, "instr"), links);
    if (element != "fldchar" || instruction.empty()) return;
    read_field(instruction, links);
    instruction.clear();
  });
}

}  // namespace

void read_ooxml(std::string_view bytes, const Limits& limits, LinkCollector& links) {
  const auto is_content = [](std::string_view name) {
    return name.ends_with(".xml") && (name.starts_with("word/") || name.starts_with("xl/worksheets/"));
  };
  const auto is_document = [](std::string_view name) {
    return name.contains("/embeddings/") && !name.ends_with(".rels");
  };
  const auto wants = [&](std::string_view name) {
    if (is_document(name)) links.count_attachment();
    return name.ends_with(".rels") || is_document(name) || is_content(name);
  };
  each_part(bytes, limits, links, wants, [&](std::string_view name, std::string_view part) {
    if (name.ends_with(".rels"))
      read_relationships(part, links);
    else if (is_document(name))
      read_embedded(part, limits, links);
    else
      read_content(part, links);
  });
}

}  // namespace caddis::documents
