// Why there is no more of a host, a domain, a politeness group or a seed, in a word. Pure.
//
//   finished              all that was found is fetched
//   waiting               the crawl goes on, and some of it waits
//   quota:server-bytes    a quota is used up: the rest waits for a higher one, or was given up
//   limit:max-documents   the crawl reached that limit
//   setting:frontier.retire   this setting holds it back: the rest waits
//   operator              people blocked, retired or deleted it, or stopped the crawl
//   robots                robots.txt forbids all of it
//   failed                nothing of it could be fetched, or the crawl failed
//   idle                  the crawl goes on, and nothing of it waits
#pragma once

#include <string>

#include "caddis/crawl/fetch_tally.h"
#include "caddis/crawl/report_facts.h"

namespace caddis::crawl {

// `waiting`: what of it waits; null if nothing is known to wait. `is_known`: then nothing does. Otherwise some of it
// may, and it is never called finished or idle.
std::string stop_reason(const FetchTally& tally, const Waiting* waiting, bool is_known, const ReportFacts& facts);

}  // namespace caddis::crawl
