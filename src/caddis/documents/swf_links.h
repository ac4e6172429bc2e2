// Links in Flash (SWF File Format Specification 19). Internal to documents.
#pragma once

#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// Addresses that actions ask for (getURL and its like) and files that are imported, as parts; links of HTML texts;
// strings of scripts of both virtual machines that are surely URLs.
void read_swf(std::string_view bytes, const Limits& limits, LinkCollector& links);

}  // namespace caddis::documents
