// Links in pages that a browser has saved as MHTML (RFC 2557). Internal to extract.
#pragma once

#include "caddis/extract/reading.h"

namespace caddis::extract {

// Each part is read by the extractor of its kind; its Content-Location is the URL it has. Parts within parts are read to
// a depth of 3.
void extract_mhtml(Reading& reading, LinkSink& sink);

}  // namespace caddis::extract
