#include "caddis/modules/link.h"

#include <algorithm>

namespace caddis::modules {

Link link_of(std::string_view href) {
  Link link{
      .url = href, .scheme = {}, .host = {}, .path = {}, .hops = {}, .via = {}, .seed = {}, .mime = {}, .address = {}};
  const size_t colon = href.find(':');
  if (colon == href.npos) return link;
  link.scheme = href.substr(0, colon);
  std::string_view rest = href.substr(colon + 1);
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    rest.remove_prefix(authority.size());
    if (const size_t at = authority.rfind('@'); at != authority.npos) authority.remove_prefix(at + 1);
    const size_t port =
        authority.find(':', authority.starts_with('[') ? std::min(authority.find(']'), authority.size()) : 0);
    link.host = authority.substr(0, port);
  }
  link.path = rest.substr(0, rest.find_first_of("?#"));
  return link;
}

}  // namespace caddis::modules
