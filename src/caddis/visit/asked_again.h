// The scope is asked anew about a URL that waits: before its visit (preselect_step.cc), or by whoever reviews what waits.
#pragma once

#include "caddis/base/clock.h"
#include "caddis/frontier/candidate.h"
#include "caddis/scope/candidate.h"
#include "caddis/scope/scope.h"
#include "caddis/url/url.h"
#include "caddis/visit/feed_origin.h"

namespace caddis::visit {

// URLs without a path from a seed were given by somebody who was not asked for a scope either.
inline bool was_given(const frontier::Candidate& candidate) {
  const auto feed = FeedOrigin::of(candidate);
  if (feed && feed->is_given()) return true;
  return candidate.force || (!candidate.is_seed && candidate.hops.empty() && candidate.via.empty());
}

// `rules`: those of sheets; null if there are none. `server`: what is known of it; null: nothing. A seed that people have
// ended meanwhile is asked about as any other URL. What follows from a feed's item is asked about as if a person had named it.
inline scope::Decision decide_again(const scope::Scope& scope, const frontier::Candidate& candidate,
                                    const url::Url& url, const scope::SiteRules* rules, WallTime now,
                                    const scope::Answer* server = nullptr) {
  return scope.decide(
      {.url = url,
       .hop_path = candidate.hops,
       .via = candidate.via,
       .is_seed = FeedOrigin::of(candidate) || (candidate.is_seed && !scope.has_ended(url.without_fragment())),
       .rules = rules,
       .source_seed = candidate.seed,
       .answer = server,
       .at = now});
}

}  // namespace caddis::visit
