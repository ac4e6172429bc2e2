// Links that documents of other protocols than HTTP have: the names in a folder, the folder around a document, the
// server to which an answer of WHOIS refers.
#pragma once

#include "caddis/base/error.h"
#include "caddis/http/exchange.h"

namespace caddis::visit {

class Visit;

// Adds them to what was extracted of the document at hand, as the settings want it. An Error is our own.
Result<void> add_resource_links(Visit& visit, const http::Resource& resource);

}  // namespace caddis::visit
