#include "caddis/extract/xml_links.h"

#include <string>

#include "caddis/base/strings.h"
#include "caddis/extract/html_links.h"
#include "caddis/extract/url_guess.h"
#include "caddis/html/tokenizer.h"

namespace caddis::extract {
namespace {

using html::Attribute;
using html::Token;

bool is_reference_name(std::string_view name) {
  return name == "href" || name == "src" || name == "url" || name == "xlink:href";
}

void read_tag(const Token& tag, LinkSink& sink) {
  for (const Attribute& attribute : tag.attributes) {
    if (attribute.name.starts_with("xmlns") || attribute.name == "xsi:schemalocation") continue;
    const std::string_view value = trim_url(attribute.value);
    const bool path = is_reference_name(attribute.name) && (is_anchored_path(value) || has_web_extension(value));
    if (path || is_sure_url(value)) sink.add(value, Hop::speculative, kSpeculativeMisc);
  }
}

void read_text(const Token& text, std::string& decoded, LinkSink& sink) {
  decoded.clear();
  append_text(decoded, text);
  const std::string_view content = trim_url(decoded);
  if (content.find('<') != std::string_view::npos)
    extract_markup(content, kSpeculativeMisc, sink);
  else if (is_absolute_url(content))
    sink.add(content, Hop::speculative, kSpeculativeMisc);
}

void read_instruction(std::string_view text, LinkSink& sink) {
  constexpr std::string_view kTarget = "?xml-stylesheet";
  if (!text.starts_with(kTarget)) return;
  const std::string tag = "<x" + std::string(text.substr(kTarget.size())) + ">";
  html::Tokenizer tokenizer(tag);
  Token token;
  if (!tokenizer.next(token)) return;
  if (const Attribute* href = token.find("href")) sink.add(href->value, Hop::embed, kEmbedMisc);
}

}  // namespace

void extract_xml(std::string_view source, LinkSink& sink) {
  html::Tokenizer::Options options;
  options.follow_elements = false;
  options.cdata_anywhere = true;
  html::Tokenizer tokenizer(source, options);
  std::string decoded;
  for (Token token; tokenizer.next(token);) {
    switch (token.kind) {
      case Token::Kind::start_tag:
        read_tag(token, sink);
        break;
      case Token::Kind::text:
        read_text(token, decoded, sink);
        break;
      case Token::Kind::comment:
        read_instruction(token.text, sink);
        break;
      default:
        break;
    }
  }
}

}  // namespace caddis::extract
