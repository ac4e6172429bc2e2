// Instructions of fields in word processors, and formulas of spreadsheets, that name URLs. Internal to documents.
#pragma once

#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// ` HYPERLINK "http://a.example/" \o "tip"`: a link. ` INCLUDEPICTURE "…"`: an embedded one. Others: nothing.
void read_field(std::string_view instruction, LinkCollector& links);
// `HYPERLINK("http://a.example/"; "shown")` anywhere in a formula, with `"` doubled inside; IMAGE() and WEBSERVICE() are
// embeds. A text that others are joined to (`"http://a.example/?" & A1`) is none.
void read_formula(std::string_view formula, LinkCollector& links);

}  // namespace caddis::documents
