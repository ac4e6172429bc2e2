// Links in documents that are zip archives of XML: OOXML (ECMA-376), OpenDocument (ISO/IEC 26300), EPUB (EPUB 3.3).
// Internal to documents.
#pragma once

#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// External relationships (part 2, 8.3), fields of Word and formulas of Excel.
void read_ooxml(std::string_view bytes, const Limits& limits, LinkCollector& links);
// xlink:href (19.909), and formulas.
void read_odf(std::string_view bytes, const Limits& limits, LinkCollector& links);
// References of the content documents to the web; others stay within the book.
void read_epub(std::string_view bytes, const Limits& limits, LinkCollector& links);

}  // namespace caddis::documents
