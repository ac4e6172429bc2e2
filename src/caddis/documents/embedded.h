// Documents within documents: Office files in Office files, what is attached to a PDF. Internal to documents.
#pragma once

#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// Reads a file that lies within the document, whose links are then those of the document. What is no document is passed
// over, and so is what lies deeper, or behind more of them, than the collector allows.
void read_embedded(std::string_view bytes, const Limits& limits, LinkCollector& links);

}  // namespace caddis::documents
