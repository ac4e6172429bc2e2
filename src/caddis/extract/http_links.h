// Links in the fields of a response. Internal to extract.
#pragma once

#include "caddis/extract/link_sink.h"
#include "caddis/robots/page_directives.h"

namespace caddis::extract {

// Location (R), Refresh (R), Content-Location (I), Link (RFC 8288; E or L by its relation).
void extract_http(const Document& document, LinkSink& sink);

// Returns what every X-Robots-Tag of the response asks of the crawl.
robots::PageDirectives directives_of_header(const Document& document);

}  // namespace caddis::extract
