#include "caddis/documents/markup.h"

#include "caddis/base/strings.h"
#include "caddis/text/encoding.h"

namespace caddis::documents {
namespace {

using html::Attribute;
using html::Token;

// Namespaces and vocabularies look like pages, and mostly are none.
bool is_vocabulary(std::string_view url) {
  for (const std::string_view start : {"http://ns.adobe.com/", "http://www.w3.org/", "http://purl.org/",
                                       "http://www.aiim.org/", "http://iptc.org/", "http://cipa.jp/", "http://schemas.",
                                       "https://schemas.", "http://prismstandard.org/", "http://ns.useplus.org/"})
    if (url.starts_with(start)) return true;
  return false;
}

void add_fact(std::string_view text, LinkCollector& links) {
  text = trim(text);
  if (!is_vocabulary(text)) links.add_absolute(text, LinkKind::speculative);
}

bool is_reference(std::string_view name) {
  return name == "href" || name == "src" || name == "data" || name == "poster" || name == "xlink:href";
}

bool is_anchor(std::string_view element) { return element == "a" || element == "area"; }

}  // namespace

std::string_view part_in_utf8(std::string_view part, std::string& storage) {
  if (part.starts_with("\xFF\xFE")) return text::to_utf8(part, "UTF-16LE", storage);
  if (part.starts_with("\xFE\xFF")) return text::to_utf8(part, "UTF-16BE", storage);
  return part;
}

void each_token(std::string_view xml, const TokenCall& call) {
  std::string storage, text;
  html::Tokenizer::Options options;
  options.follow_elements = false;
  options.cdata_anywhere = true;
  html::Tokenizer tokenizer(part_in_utf8(xml, storage), options);
  for (Token token; tokenizer.next(token);) {
    text.clear();
    if (token.kind == Token::Kind::text) append_text(text, token);
    call(token, text);
  }
}

void read_metadata(std::string_view xmp, LinkCollector& links) {
  each_token(xmp, [&](const Token& token, std::string_view text) {
    if (token.kind == Token::Kind::text) add_fact(text, links);
    if (token.kind != Token::Kind::start_tag) return;
    for (const Attribute& attribute : token.attributes)
      if (!attribute.name.starts_with("xmlns")) add_fact(attribute.value, links);
  });
}

void read_markup(std::string_view html, bool only_absolute, LinkCollector& links) {
  std::string storage;
  html::Tokenizer::Options options;
  options.skip_text = true;
  html::Tokenizer tokenizer(part_in_utf8(html, storage), options);
  for (Token token; tokenizer.next(token);) {
    if (token.kind != Token::Kind::start_tag) continue;
    for (const Attribute& attribute : token.attributes) {
      if (!is_reference(attribute.name)) continue;
      const LinkKind kind = is_anchor(token.name) ? LinkKind::navigation : LinkKind::embed;
      if (only_absolute)
        links.add_absolute(attribute.value, kind);
      else
        links.add(attribute.value, kind);
    }
  }
}

}  // namespace caddis::documents
