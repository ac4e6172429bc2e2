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

using html::Token;

// Whether a URL has a scheme, or a host.
bool is_absolute(std::string_view url) {
  return url.starts_with("/") || url.substr(0, url.find_first_of("/?#")).contains(':');
}

// The package counts as a folder: "../page.html" lies beside the document, "Pictures/1.png" within it (part 3, 3.7).
void add_reference(std::string_view url, LinkKind kind, LinkCollector& links) {
  constexpr std::string_view kUp = "../";
  url = trim(url);
  if (url.starts_with(kUp)) return links.add(url.substr(kUp.size()), kind);
  if (is_absolute(url)) links.add(url, kind);
}

// Images, sounds, objects and the like are shown with the document.
LinkKind kind_of(std::string_view element) {
  const std::string_view name = html::local_name(element);
  for (const std::string_view part : {"image", "plugin", "object", "object-ole", "sound", "fill-image",
                                      "floating-frame", "background-image", "font-face-uri", "list-level-style-image"})
    if (name == part) return LinkKind::embed;
  return LinkKind::navigation;
}

void read_part(std::string_view part, LinkCollector& links) {
  each_token(part, [&](const Token& token, std::string_view) {
    if (token.kind != Token::Kind::start_tag) return;
    for (const html::Attribute& attribute : token.attributes) {
      if (attribute.name == "xlink:href") add_reference(attribute.value, kind_of(token.name), links);
      if (attribute.name == "table:formula") read_formula(attribute.value, links);
    }
  });
}

}  // namespace

void read_odf(std::string_view bytes, const Limits& limits, LinkCollector& links) {
  // Objects within the document have such files in folders of their own, or are files of another program: "Object 1".
  const auto is_document = [](std::string_view name) {
    return name.starts_with("Object ") && name.find_first_of("/.") == std::string_view::npos;
  };
  const auto wants = [&](std::string_view name) {
    if (is_document(name)) links.count_attachment();
    const std::string_view file = name.substr(name.rfind('/') + 1);
    return file == "content.xml" || file == "styles.xml" || file == "meta.xml" || is_document(name);
  };
  each_part(bytes, limits, links, wants, [&](std::string_view name, std::string_view part) {
    if (is_document(name)) return read_embedded(part, limits, links);
    read_part(part, links);
  });
}

}  // namespace caddis::documents
