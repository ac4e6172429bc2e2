// Conditional requests (RFC 9110, section 13): a server is asked whether a document has changed since it was captured.
// If it has not, the capture stands for it: its body is read for links, and a revisit record refers to it.
#pragma once

#include "caddis/base/error.h"
#include "caddis/fetch/http_fetcher.h"

namespace caddis::visit {

class Visit;
struct LaneTools;

// Adds If-None-Match and If-Modified-Since, if the settings want that and there is such a capture.
void ask_if_changed(const LaneTools& tools, Visit& visit, fetch::FetchRequest& request);
// If the answer is that nothing has changed: says so on the visit's line, and to the steps behind.
void note_unchanged(Visit& visit);
// Puts the stored response where readers look for it, if nothing has changed. An Error is our own disk.
Result<void> read_stored(const LaneTools& tools, Visit& visit);

}  // namespace caddis::visit
