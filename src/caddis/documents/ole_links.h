// Links in the binary formats of Office 97 to 2003 ([MS-DOC], [MS-XLS], [MS-PPT]). Internal to documents.
#pragma once

#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// Fields of Word, HLINK records of Excel, hyperlinks of PowerPoint. Documents that are encrypted say so.
void read_ole(std::string_view bytes, const Limits& limits, LinkCollector& links);

}  // namespace caddis::documents
