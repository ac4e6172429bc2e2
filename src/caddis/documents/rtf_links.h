// Links in Rich Text Format (Rich Text Format Specification 1.9.1). Internal to documents.
#pragma once

#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// The instructions of fields (\fldinst) that name URLs, and shapes with links.
void read_rtf(std::string_view bytes, LinkCollector& links);

}  // namespace caddis::documents
