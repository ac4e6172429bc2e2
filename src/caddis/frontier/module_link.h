// A candidate as modules see it.
#pragma once

#include "caddis/frontier/candidate.h"
#include "caddis/modules/link.h"

namespace caddis::frontier {

// Borrows the candidate.
inline modules::Link module_link(const Candidate& candidate) {
  modules::Link link = modules::link_of(candidate.url);
  link.hops = candidate.hops;
  link.via = candidate.via;
  link.seed = candidate.seed;
  link.is_seed = candidate.is_seed;
  return link;
}

}  // namespace caddis::frontier
