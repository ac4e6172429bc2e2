// Links in the fields of a response. Internal to extract.
#pragma once

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// Location (R), Refresh (R), Content-Location (I), Link (RFC 8288; E or L by its relation).
void extract_http(const Document& document, LinkSink& sink);

}  // namespace caddis::extract
