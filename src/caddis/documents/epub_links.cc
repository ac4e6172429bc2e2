#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/documents/markup.h"
#include "caddis/documents/package_links.h"
#include "caddis/documents/zip_package.h"

namespace caddis::documents {
namespace {

bool is_markup(std::string_view extension) {
  for (const std::string_view known : {"xhtml", "html", "htm", "xml", "opf", "ncx", "svg"})
    if (extension == known) return true;
  return false;
}

// url(…) with an absolute URL. Each ends at the next ')', which is looked for once however many begin before it.
void read_style(std::string_view css, LinkCollector& links) {
  constexpr std::string_view kStart = "url(";
  for (size_t at = css.find(kStart), end = 0; at != std::string_view::npos; at = css.find(kStart, end)) {
    end = std::min(css.find(')', at), css.size());
    std::string_view url = trim(css.substr(at + kStart.size(), end - at - kStart.size()));
    if (url.size() > 1 && (url.front() == '"' || url.front() == '\'')) url = url.substr(1, url.size() - 2);
    links.add_absolute(url, LinkKind::embed);
  }
}

std::string extension_of(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string() : to_lower(name.substr(dot + 1));
}

}  // namespace

void read_epub(std::string_view bytes, const Limits& limits, LinkCollector& links) {
  const auto wants = [](std::string_view name) {
    const std::string extension = extension_of(name);
    return is_markup(extension) || extension == "css";
  };
  each_part(bytes, limits, links, wants, [&](std::string_view name, std::string_view part) {
    if (extension_of(name) == "css") return read_style(part, links);
    read_markup(part, true, links);
  });
}

}  // namespace caddis::documents
