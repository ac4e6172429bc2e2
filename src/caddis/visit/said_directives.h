// The directives for robots of the response at hand: X-Robots-Tag of its head, and what the extractors have read in the
// document, if they have.
#pragma once

#include "caddis/robots/page_directives.h"

namespace caddis::visit {

class Visit;

robots::PageDirectives said_directives(Visit& visit);

// Whether they forbid to follow links of it, and the crawl obeys that, whoever reads them.
bool forbids_following(Visit& visit);

}  // namespace caddis::visit
