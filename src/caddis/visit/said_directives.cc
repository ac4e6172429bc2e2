#include "caddis/visit/said_directives.h"

#include "caddis/base/strings.h"
#include "caddis/robots/policy.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {

robots::PageDirectives said_directives(Visit& visit) {
  robots::PageDirectives said;
  const http::Exchange* const exchange = visit.document.readable();
  if (exchange == nullptr) return said;
  // The field counts for any answer; links are not looked for in all of them.
  for (const http::Field field : exchange->head)
    if (equals_ignore_case(field.name, "x-robots-tag"))
      said.add(robots::parse_robots_tag(field.value, visit.host().robots.product_token));
  if (visit.document.extracted) said.add(visit.document.extracted->directives);
  return said;
}

bool forbids_following(Visit& visit) {
  return visit.site().extract.obey_meta_nofollow && robots::obeys_nofollow(visit.host().robots.policy) &&
         said_directives(visit).nofollow;
}

}  // namespace caddis::visit
