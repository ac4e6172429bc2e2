// Links in the fields of a response. Internal to extract.
#pragma once

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// Location (R), Refresh (R), Content-Location (I), Link (RFC 8288; E or L by its relation).
void extract_http(const Document& document, LinkSink& sink);

// Whether a list of robots directives ("noindex, nofollow"), as meta elements and X-Robots-Tag have them, holds
// nofollow or none.
bool says_nofollow(std::string_view directives);
// Whether an X-Robots-Tag of the response does. One for a crawler of a certain name is not read, as meta elements for
// one are not.
bool has_nofollow_header(const Document& document);

}  // namespace caddis::extract
