// Rewrites the URLs of a style sheet (CSS Syntax Module Level 3): url(…), @import, and the strings of image-set().
// Everything else stays byte for byte. Comments, other strings and @namespace (whose URL is a name) are left alone.
//
// Linear time, no state, any thread. For ASCII-compatible charsets.
#pragma once

#include <string>
#include <string_view>

#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

// Appends the rewritten `css` to `out`. True where anything was changed.
bool rewrite_css(std::string_view css, const LinkRewriter& links, std::string& out);

}  // namespace caddis::replay
