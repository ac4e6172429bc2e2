// A link for modules, from what the frontier knows of a URL: scheme, host and path are found in its text.
#pragma once

#include <string_view>

#include "caddis/modules/module.h"

namespace caddis::modules {

// `href`: a WHATWG href, which the link borrows.
Link link_of(std::string_view href);

}  // namespace caddis::modules
