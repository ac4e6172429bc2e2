// A page that is byte for byte the page that led to it: most likely a trap, such as a server that answers every path
// with the same page (Heritrix's TrapSuppressExtractor). The digest of a page travels with its links.
#pragma once

#include <string_view>

#include "caddis/frontier/candidate.h"

namespace caddis::visit {

// The word of crawl.log.
inline constexpr std::string_view kTrapWord = "trapSuppressExtractor";

void put_via_digest(std::string_view payload_digest, frontier::Candidate& link);
bool is_same_as_via(std::string_view payload_digest, const frontier::Candidate& candidate);

}  // namespace caddis::visit
