// Text for HTML: whatever comes from the web stays text, in elements and in quoted attributes.
#pragma once

#include <string>
#include <string_view>

namespace caddis::reports {

// "&amp;", "&lt;", "&gt;", "&quot;", "&#39;"; control characters, marks that turn the direction of writing, and bytes
// that are no UTF-8 are spelled out (base/visible.h).
std::string html_text(std::string_view text);

}  // namespace caddis::reports
