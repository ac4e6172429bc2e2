#include "caddis/extract/markup_links.h"

#include <string>

#include "caddis/extract/attribute_role.h"
#include "caddis/extract/link_relation.h"
#include "caddis/html/css_urls.h"
#include "caddis/html/srcset.h"
#include "caddis/html/tag.h"
#include "caddis/html/tokenizer.h"

namespace caddis::extract {
namespace {

using Take = std::function<void(std::string_view, bool)>;

void take_candidates(std::string_view value, const Take& take) {
  html::SrcsetUrls urls(value);
  for (std::string_view url; urls.next(url);) take(url, true);
}

// By the attribute's role in a page; forms, handlers and what is resolved against something else are left out.
void take_attribute(const html::Attribute& attribute, const Take& take) {
  switch (attribute_role(attribute.name)) {
    case AttributeRole::href:
    case AttributeRole::navigation:
    case AttributeRole::embed:
      return take(attribute.value, true);
    case AttributeRole::candidates:
    case AttributeRole::maybe_candidates:
      return take_candidates(attribute.value, take);
    case AttributeRole::lazy:
    case AttributeRole::maybe:
      if (attribute.value.find("url(") != std::string_view::npos) return each_url_of_css(attribute.value, take);
      if (attribute.value.find(", ") != std::string_view::npos) return take_candidates(attribute.value, take);
      return take(attribute.value, true);
    case AttributeRole::style:
      return each_url_of_css(attribute.value, take);
    case AttributeRole::value:
    case AttributeRole::data:
      return take(attribute.value, false);
    case AttributeRole::resource:
      if (attribute.name == "data") take(attribute.value, true);
      return;
    default:
      return;
  }
}

// `<link rel=preconnect>` and the like.
bool is_hint(const html::Token& tag) {
  const std::string_view relation = html::value_of(tag, "rel");
  return tag.name == "link" && !relation.empty() && link_relation(relation).kind == LinkRelation::Kind::ignored;
}

}  // namespace

void each_url_of_css(std::string_view css, const Take& take) {
  html::CssUrls urls(css);
  for (html::CssUrl url; urls.next(url);) {
    if (url.has_escape)
      take(html::css_unescape(url.raw), true);
    else
      take(url.raw, true);
  }
}

void each_url_of_tag(const html::Token& tag, const Take& take) {
  if (tag.name == "base" || is_hint(tag)) return;
  for (const html::Attribute& attribute : tag.attributes)
    if (!attribute.value.empty()) take_attribute(attribute, take);
}

void each_url_of_markup(std::string_view markup, const Take& take) {
  html::Tokenizer tokenizer(markup, {.skip_text = true});
  bool is_style = false;
  for (html::Token token; tokenizer.next(token);) {
    if (token.kind == html::Token::Kind::text && is_style) each_url_of_css(token.text, take);
    if (token.kind != html::Token::Kind::start_tag) continue;
    is_style = token.name == "style";
    each_url_of_tag(token, take);
  }
}

}  // namespace caddis::extract
