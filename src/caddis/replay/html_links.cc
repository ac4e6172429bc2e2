#include "caddis/replay/html_links.h"

#include "caddis/base/strings.h"

namespace caddis::replay {
namespace {

struct Row {
  std::string_view attribute;
  std::string_view tag;  // empty: any
  LinkKind kind;
};

// Sorted by how often pages have them; the first row that fits decides.
constexpr Row kRows[] = {
    {"href", "a", LinkKind::navigation},
    {"href", "link", LinkKind::by_rel},
    {"href", "area", LinkKind::navigation},
    {"href", "base", LinkKind::base},
    {"href", "use", LinkKind::other},
    {"href", "image", LinkKind::image},
    {"href", "feimage", LinkKind::image},
    {"href", "script", LinkKind::script},
    {"src", "img", LinkKind::image},
    {"src", "script", LinkKind::script},
    {"src", "iframe", LinkKind::frame},
    {"src", "frame", LinkKind::frame},
    {"src", "input", LinkKind::image},
    {"src", "image", LinkKind::image},
    {"src", "portal", LinkKind::frame},
    {"src", "", LinkKind::other},
    {"style", "", LinkKind::style_text},
    {"srcset", "img", LinkKind::image_set},
    {"srcset", "", LinkKind::other_set},
    {"imagesrcset", "link", LinkKind::image_set},
    {"action", "form", LinkKind::navigation},
    {"formaction", "", LinkKind::navigation},
    {"background", "", LinkKind::image},
    {"poster", "", LinkKind::image},
    {"data", "object", LinkKind::other},
    {"content", "meta", LinkKind::refresh},
    {"integrity", "", LinkKind::drop},
    {"referrerpolicy", "", LinkKind::drop},  // stray requests are led back by their Referer
    {"ping", "", LinkKind::ping},
    {"srcdoc", "iframe", LinkKind::document},
    {"xlink:href", "a", LinkKind::navigation},
    {"xlink:href", "image", LinkKind::image},
    {"xlink:href", "feimage", LinkKind::image},
    {"xlink:href", "script", LinkKind::script},
    {"xlink:href", "", LinkKind::other},
    {"value", "param", LinkKind::parameter},
    {"lowsrc", "", LinkKind::image},
    {"dynsrc", "", LinkKind::other},
    {"longdesc", "", LinkKind::navigation},
    {"cite", "", LinkKind::navigation},
    {"manifest", "html", LinkKind::drop},
    {"code", "applet", LinkKind::other},
    {"codebase", "", LinkKind::other},
    {"archive", "", LinkKind::other},
    {"classid", "object", LinkKind::other},
    {"icon", "", LinkKind::image},
};

// What a browser takes from <meta http-equiv> that an archive has to stop: policies written for the live site.
bool is_stopped_policy(std::string_view http_equiv) {
  return equals_ignore_case(http_equiv, "content-security-policy") ||
         equals_ignore_case(http_equiv, "content-security-policy-report-only") ||
         equals_ignore_case(http_equiv, "x-dns-prefetch-control") || equals_ignore_case(http_equiv, "set-cookie");
}

bool is_named_referrer(const html::Token& meta) {
  const html::Attribute* const name = meta.find("name");
  return name != nullptr && equals_ignore_case(trim(name->value), "referrer");
}

// Connections that are opened in advance would tell the live web what is read.
bool only_connects(const html::Token& link) {
  const html::Attribute* const rel = link.find("rel");
  return rel != nullptr && !contains_ignore_case(rel->value, "stylesheet") &&
         (contains_ignore_case(rel->value, "preconnect") || contains_ignore_case(rel->value, "dns-prefetch"));
}

bool holds_speculation_rules(const html::Token& script) {
  const html::Attribute* const type = script.find("type");
  return type != nullptr && equals_ignore_case(trim(type->value), "speculationrules");
}

}  // namespace

LinkKind link_kind(const html::Token& tag, std::string_view attribute) {
  if (tag.name == "meta") {
    if (attribute == "name" && is_named_referrer(tag)) return LinkKind::drop;
    const html::Attribute* const equiv = tag.find("http-equiv");
    if (equiv == nullptr) return LinkKind::none;
    if (attribute == "http-equiv" && is_stopped_policy(trim(equiv->value))) return LinkKind::drop;
    return attribute == "content" && equals_ignore_case(trim(equiv->value), "refresh") ? LinkKind::refresh
                                                                                       : LinkKind::none;
  }
  if (attribute == "rel" && tag.name == "link" && only_connects(tag)) return LinkKind::drop;
  if (attribute == "type" && tag.name == "script" && holds_speculation_rules(tag)) return LinkKind::no_script;
  for (const Row& row : kRows)
    if (row.attribute == attribute && (row.tag.empty() || row.tag == tag.name)) return row.kind;
  return LinkKind::none;
}

bool is_selected_by(std::string_view attribute) {
  for (const std::string_view one : {"href", "src", "srcset", "action", "data", "poster", "formaction", "imagesrcset",
                                     "cite", "background", "longdesc", "ping"})
    if (equals_ignore_case(one, attribute)) return true;
  return false;
}

LinkKind kind_of_link_element(const html::Token& tag) {
  const html::Attribute* const rel = tag.find("rel");
  const html::Attribute* const as = tag.find("as");
  if (rel == nullptr) return LinkKind::other;
  if (contains_ignore_case(rel->value, "stylesheet")) return LinkKind::style;
  if (contains_ignore_case(rel->value, "modulepreload")) return LinkKind::script;
  if (contains_ignore_case(rel->value, "icon")) return LinkKind::image;
  if (as != nullptr && contains_ignore_case(rel->value, "preload")) {
    for (const auto& [name, kind] : {std::pair<std::string_view, LinkKind>{"script", LinkKind::script},
                                     {"worker", LinkKind::script},
                                     {"style", LinkKind::style},
                                     {"image", LinkKind::image},
                                     {"document", LinkKind::frame}})
      if (equals_ignore_case(as->value, name)) return kind;
    return LinkKind::other;
  }
  for (const std::string_view followed :
       {"canonical", "alternate", "next", "prev", "search", "author", "help", "license"})
    if (contains_ignore_case(rel->value, followed)) return LinkKind::navigation;
  return LinkKind::other;
}

}  // namespace caddis::replay
