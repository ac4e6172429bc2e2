// Links that patterns of users find: in other links, and in documents. All of them are off by default. Internal to
// extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// Absolute URLs in the query strings of the links found so far (Heritrix's ExtractorURI).
void extract_uri_in_uri(LinkSink& sink);
// URLs that the links found so far imply (ExtractorImpliedURI).
void extract_implied_uris(const Plan& plan, LinkSink& sink);
// A link for each combination of what the parts find (ExtractorMultipleRegex), if the document's URL matches.
void extract_multiple_regex(std::string_view body, const Plan& plan, LinkSink& sink);

}  // namespace caddis::extract
