// Links in PDF (ISO 32000-2), read by qpdf. Internal to documents.
#pragma once

#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// URI actions (12.6.4.8) wherever they stand: link annotations, outlines, form fields, pages; texts in JavaScript
// actions and XMP metadata that are surely URLs. Actions that start programs or open other documents are no links.
// Embedded files are counted. Encrypted files are read if they open without a password.
void read_pdf(std::string_view bytes, const Limits& limits, LinkCollector& links);

}  // namespace caddis::documents
