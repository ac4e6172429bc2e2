#include "caddis/replay/xml_document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/replay/html_links.h"
#include "caddis/replay/sheet_links.h"

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

std::optional<Modifier> modifier_for(LinkKind kind) {
  switch (kind) {
    case LinkKind::navigation:
      return Modifier::main;
    case LinkKind::frame:
      return Modifier::frame;
    case LinkKind::script:
      return Modifier::script;
    case LinkKind::style:
      return Modifier::style;
    case LinkKind::image:
      return Modifier::image;
    case LinkKind::other:
      return Modifier::other;
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
  in_script_ = PageScript::none;
  const Vocabulary vocabulary = vocabulary_of(tag.name);
  if (depth_ == 1) {
    is_xslt_ = vocabulary == Vocabulary::xslt || is_sheet(tag);
    has_scripts_ = is_xslt_ && !clients_.sheet.empty();
  }
  if (is_xslt_) return on_start_in_sheet(tag, vocabulary);
  if (vocabulary != Vocabulary::html && vocabulary != Vocabulary::svg) return;
  if (local_name(tag.name) == "script" && !std::exchange(has_scripts_, !clients_.document.empty()))
    splice(tag.start, tag.start, clients_.document);
  on_markup(tag);
}

void XmlRewriter::on_end() {
  if (depth_ > 0) --depth_;
  while (!bindings_.empty() && bindings_.back().depth > depth_) bindings_.pop_back();
  sheet_client_.on_end(depth_);
}

// Whether a document is a sheet by being what it writes out (XSLT 1.0, section 2.3).
bool XmlRewriter::is_sheet(const html::Token& root) const {
  return std::ranges::any_of(root.attributes, [&](const html::Attribute& attribute) {
    return local_name(attribute.name) == "version" && !prefix_of(attribute.name).empty() &&
           vocabulary_of(attribute.name) == Vocabulary::xslt;
  });
}

void XmlRewriter::on_start_in_sheet(const html::Token& tag, Vocabulary vocabulary) {
  const bool is_instruction = vocabulary == Vocabulary::xslt;
  // Elements without a prefix become markup of the page that the sheet makes.
  const bool is_markup = vocabulary == Vocabulary::html || vocabulary == Vocabulary::svg ||
                         (vocabulary == Vocabulary::other && prefix_of(tag.name).empty());
  if (!is_instruction && !is_markup) return;
  const SheetClient::Place client =
      is_instruction ? sheet_client_.on_instruction(tag, depth_) : sheet_client_.on_element(tag, depth_);
  if (client == SheetClient::Place::before) put_sheet_client(tag, tag.start);
  if (is_instruction)
    on_sheet_instruction(tag);
  else
    on_markup(tag);
  if (client == SheetClient::Place::inside) put_sheet_client(tag, tag.end);
}

void XmlRewriter::on_sheet_instruction(const html::Token& tag) {
  const std::string_view name = local_name(tag.name);
  const bool names_part = name == "import" || name == "include";
  for (const html::Attribute& attribute : tag.attributes) {
    const bool is_part = names_part && attribute.name == "href";
    const auto value =
        is_part ? rewrite_sheet_part(attribute.value, links_) : rewrite_documents(attribute.value, links_);
    if (value) replace(attribute, *value);
  }
}

// As an element of the page that the sheet makes, wherever in it that stands.
void XmlRewriter::put_sheet_client(const html::Token& tag, size_t at) {
  if (clients_.sheet.empty()) return;
  std::string prefix;
  // In the namespace of its neighbour, if that is one of the page's. Prefixes have large letters, too.
  if (vocabulary_of(tag.name) != Vocabulary::xslt) prefix = source().substr(tag.start + 1, prefix_of(tag.name).size());
  if (!prefix.empty()) prefix += ':';
  std::string markup = clients_.sheet;
  markup.insert(markup.rfind("</") + 2, prefix).insert(1, prefix);
  std::string escaped;
  for (const char c : markup) escaped.append(c == '{' || c == '}' ? size_t{2} : size_t{1}, c);
  splice(at, at, escaped);
}

void XmlRewriter::on_text(const html::Token& text) {
  const bool is_cdata = text.model == html::ContentModel::cdata;
  const std::string_view content = trim(text.text);
  // "//" hides the mark of a CDATA section from browsers that read HTML.
  if (!is_cdata && (content.empty() || content == "//")) return wait_for_text();
  const std::string_view rest = source().substr(text.end);
  const PageScript kind = std::exchange(in_script_, PageScript::none);
  // Parts of a script cannot be told from others, and references to characters would have to be resolved.
  const size_t next = rest.find_first_not_of(" \t\r\n");
  const bool is_whole = next == std::string_view::npos || rest.substr(next).starts_with("</");
  if (!is_whole || (!is_cdata && content.contains('&'))) return;
  // The sheet does not know against what these are resolved.
  if (is_xslt_ && (kind != PageScript::classic || content.contains("import"))) return;
  const auto script = rewrite_page_script(text.text, kind, links_);
  if (!script || script->contains("]]>") || (!is_cdata && script->find_first_of("&<") != std::string::npos)) return;
  const size_t start = static_cast<size_t>(text.text.data() - source().data());
  splice(start, start + text.text.size(), *script);
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
  for (const html::Attribute& attribute : tag.attributes) on_attribute(plain, attribute);
  if (!has_scripts_ || plain.name != "script" || tag.self_closing) return;
  in_script_ = page_script(plain);
  if (in_script_ != PageScript::none) wait_for_text();
}

void XmlRewriter::on_attribute(const html::Token& tag, const html::Attribute& attribute) {
  if (holds_code(attribute)) {
    const auto has_braces = [](std::string_view text) { return text.find_first_of("{}") != std::string_view::npos; };
    if (!has_scripts_ || (is_xslt_ && has_braces(attribute.value))) return;
    const auto code = rewrite_code(attribute.value, links_);
    if (code && !(is_xslt_ && has_braces(*code))) replace(attribute, *code);
    return;
  }
  const LinkKind kind = link_kind(tag, attribute.name);
  on_link(kind == LinkKind::by_rel ? kind_of_link_element(tag) : kind, attribute);
}

void XmlRewriter::on_link(LinkKind kind, const html::Attribute& attribute) {
  if (has_scripts_ && kind == LinkKind::drop)
    return splice(attribute.name_start, attribute.name_start, "data-archived-");
  if (has_scripts_ && kind == LinkKind::ping) return replace(attribute, "");
  if (has_scripts_ && kind == LinkKind::no_script) return replace(attribute, "application/json");
  const auto modifier = modifier_for(kind);
  if (!modifier) return;
  const auto address = is_xslt_                       ? rewrite_sheet_link(attribute.value, *modifier, links_)
                       : kind == LinkKind::navigation ? links_.rewrite_navigation(attribute.value, {})
                                                      : links_.rewrite(attribute.value, *modifier);
  if (address) replace(attribute, *address);
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
