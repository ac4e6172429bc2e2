// Text for HTML.
#pragma once

#include <string>
#include <string_view>

namespace caddis {

// For elements and quoted attributes: "&amp;", "&lt;", "&gt;", "&quot;", "&#39;". All else stays as it is.
std::string html_escape(std::string_view text);

}  // namespace caddis
