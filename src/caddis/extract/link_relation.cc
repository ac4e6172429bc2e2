#include "caddis/extract/link_relation.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::extract {
namespace {

// In order: the first that is there decides.
constexpr std::string_view kEmbeds[] = {"stylesheet",
                                        "icon",
                                        "preload",
                                        "modulepreload",
                                        "prefetch",
                                        "prerender",
                                        "manifest",
                                        "apple-touch-icon",
                                        "apple-touch-icon-precomposed",
                                        "apple-touch-startup-image",
                                        "mask-icon",
                                        "fluid-icon",
                                        "image_src"};
constexpr std::string_view kIgnored[] = {"dns-prefetch", "preconnect", "pingback", "webmention", "profile"};

bool has_relation(std::string_view rel, std::string_view wanted) {
  for (size_t at = 0; at < rel.size();) {
    while (at < rel.size() && is_space(rel[at])) ++at;
    const size_t start = at;
    while (at < rel.size() && !is_space(rel[at])) ++at;
    if (at > start && equals_ignore_case(rel.substr(start, at - start), wanted)) return true;
  }
  return false;
}

}  // namespace

LinkRelation link_relation(std::string_view rel) {
  if (trim(rel).empty()) return {};
  for (const std::string_view name : kEmbeds) {
    if (has_relation(rel, name)) return {LinkRelation::Kind::embed, name};
  }
  const auto applies = [rel](std::string_view name) { return has_relation(rel, name); };
  if (std::any_of(std::begin(kIgnored), std::end(kIgnored), applies)) return {};
  return {LinkRelation::Kind::navigation, {}};
}

}  // namespace caddis::extract
