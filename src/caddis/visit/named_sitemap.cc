#include "caddis/visit/named_sitemap.h"

#include <string_view>

#include "caddis/visit/visit.h"

namespace caddis::visit {

bool is_named_sitemap(const Visit& visit) {
  if (visit.is_prerequisite()) return false;
  std::string_view hops = visit.lease().candidate.hops;
  while (hops.ends_with('R')) hops.remove_suffix(1);
  return hops.ends_with('M');
}

}  // namespace caddis::visit
