#include "caddis/replay/xml_document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/replay/html_links.h"

namespace caddis::replay {
namespace {

constexpr size_t kMostBindings = 256;
constexpr size_t kLongestPrefix = 256;
constexpr std::string_view kXhtml = "http://www.w3.org/1999/xhtml";
constexpr std::string_view kSvg = "http://www.w3.org/2000/svg";
constexpr std::string_view kXslt = "http://www.w3.org/1999/XSL/Transform";

std::string_view prefix_of(std::string_view name) {
  const size_t colon = name.find(':');
  return colon == std::string_view::npos ? std::string_view() : name.substr(0, colon);
}

std::optional<std::string> address_for(LinkKind kind, std::string_view link, const LinkRewriter& links) {
  switch (kind) {
    case LinkKind::navigation:
      return links.rewrite_navigation(link, {});
    case LinkKind::frame:
      return links.rewrite(link, Modifier::frame);
    case LinkKind::script:
      return links.rewrite(link, Modifier::script);
    case LinkKind::style:
      return links.rewrite(link, Modifier::style);
    case LinkKind::image:
      return links.rewrite(link, Modifier::image);
    case LinkKind::other:
      return links.rewrite(link, Modifier::other);
    default:
      return std::nullopt;
  }
}

// The value of a pseudo-attribute (Associating Style Sheets with XML documents 1.0, section 3), without its quotes.
std::string_view pseudo_attribute(std::string_view content, std::string_view name) {
  for (size_t at = 0; (at = content.find(name, at)) != std::string_view::npos; at += name.size()) {
    if (at == 0 || !is_space(content[at - 1])) continue;
    size_t start = std::min(content.find_first_not_of(" \t\r\n", at + name.size()), content.size());
    if (start == content.size() || content[start] != '=') continue;
    start = std::min(content.find_first_not_of(" \t\r\n", start + 1), content.size());
    if (start == content.size() || (content[start] != '"' && content[start] != '\'')) continue;
    const size_t end = content.find(content[start], start + 1);
    return end == std::string_view::npos ? std::string_view() : content.substr(start + 1, end - start - 1);
  }
  return {};
}

std::string without_references(std::string_view value) {
  std::string out;
  html::Token text;
  text.kind = html::Token::Kind::text;
  text.text = value;
  html::append_text(out, text);
  return out;
}

}  // namespace

void XmlRewriter::on_start(const html::Token& tag) {
  ++depth_;
  bind(tag);
  const Vocabulary vocabulary = vocabulary_of(tag.name);
  if (depth_ == 1) is_xslt_ = vocabulary == Vocabulary::xslt;
  if (vocabulary == Vocabulary::html || vocabulary == Vocabulary::svg) return on_markup(tag);
  const std::string_view name = local_name(tag.name);
  if (vocabulary == Vocabulary::xslt && (name == "import" || name == "include")) {
    const html::Attribute* const href = tag.find("href");
    const auto address = href == nullptr ? std::nullopt : links_.rewrite(href->value, Modifier::other);
    if (address) replace(*href, *address);
    return;
  }
  // Elements without a prefix in a style sheet become markup of the page that it makes.
  if (is_xslt_ && vocabulary == Vocabulary::other && prefix_of(tag.name).empty()) on_markup(tag);
}

void XmlRewriter::on_end() {
  if (depth_ > 0) --depth_;
  while (!bindings_.empty() && bindings_.back().depth > depth_) bindings_.pop_back();
}

void XmlRewriter::on_instruction(const html::Token& instruction, std::string_view content) {
  constexpr std::string_view kTarget = "xml-stylesheet";
  if (!content.starts_with(kTarget) || content.size() == kTarget.size() || !is_space(content[kTarget.size()])) return;
  const std::string_view href = pseudo_attribute(content, "href");
  if (href.empty()) return;
  const bool is_css = equals_ignore_case(trim(pseudo_attribute(content, "type")), "text/css");
  const auto address = links_.rewrite(without_references(href), is_css ? Modifier::style : Modifier::other);
  if (!address) return;
  const size_t start = instruction.start + 2 + static_cast<size_t>(href.data() - content.data());
  replace(start, start + href.size(), *address);
}

void XmlRewriter::bind(const html::Token& tag) {
  for (const html::Attribute& attribute : tag.attributes) {
    const bool is_default = attribute.name == "xmlns";
    if (!is_default && !attribute.name.starts_with("xmlns:")) continue;
    const std::string_view prefix = is_default ? std::string_view() : attribute.name.substr(6);
    if (bindings_.size() >= kMostBindings || prefix.size() > kLongestPrefix) continue;
    const Vocabulary vocabulary = attribute.value == kXhtml  ? Vocabulary::html
                                  : attribute.value == kSvg  ? Vocabulary::svg
                                  : attribute.value == kXslt ? Vocabulary::xslt
                                                             : Vocabulary::other;
    bindings_.push_back({depth_, std::string(prefix), vocabulary});
  }
}

XmlRewriter::Vocabulary XmlRewriter::vocabulary_of(std::string_view name) const {
  const std::string_view prefix = prefix_of(name);
  for (size_t i = bindings_.size(); i-- > 0;)
    if (bindings_[i].prefix == prefix) return bindings_[i].vocabulary;
  return Vocabulary::other;
}

void XmlRewriter::on_markup(const html::Token& tag) {
  html::Token plain = tag;
  plain.name = local_name(tag.name);
  for (const html::Attribute& attribute : tag.attributes) {
    // An attribute of a style sheet that is filled in when it is used.
    if (is_xslt_ && attribute.value.contains('{')) continue;
    LinkKind kind = link_kind(plain, attribute.name);
    if (kind == LinkKind::by_rel) kind = kind_of_link_element(plain);
    if (const auto address = address_for(kind, attribute.value, links_)) replace(attribute, *address);
  }
}

bool has_xhtml_root(std::string_view front) {
  html::Tokenizer::Options how;
  how.follow_elements = false;
  how.skip_text = true;
  html::Tokenizer tokenizer(front, how);
  html::Token token;
  while (tokenizer.next(token)) {
    if (token.kind != html::Token::Kind::start_tag) continue;
    if (local_name(token.name) != "html") return false;
    const std::string_view prefix = prefix_of(token.name);
    const html::Attribute* const space = token.find(prefix.empty() ? "xmlns" : "xmlns:" + std::string(prefix));
    return space != nullptr && space->value == kXhtml;
  }
  return false;
}

}  // namespace caddis::replay
