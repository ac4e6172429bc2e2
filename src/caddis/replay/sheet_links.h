// The URLs in a style sheet of XSLT. Those in the markup that it writes out are resolved by browsers against the document that
// it is used for, which the sheet does not know: relative ones stay. A sheet has the host of its documents, so paths of the site
// are known. Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

// The value for an attribute of an element that is written out, a template of values (XSLT 1.0, section 7.6.2): what is in braces
// is computed, and tested then for whether it begins with http: or https:.
std::optional<std::string> rewrite_sheet_link(std::string_view value, Modifier modifier, const LinkRewriter& links);

// The address for a part of a sheet (xsl:import, xsl:include). libxml makes one slash of two in a path, and escapes colons, and Chromium
// finds the part only if its address is written so before.
std::optional<std::string> rewrite_sheet_part(std::string_view href, const LinkRewriter& links);

// An expression of XPath with the URLs in document('…') rewritten, or nothing if there is none to rewrite.
std::optional<std::string> rewrite_documents(std::string_view expression, const LinkRewriter& links);

}  // namespace caddis::replay
