// Links in style sheets. Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

enum class CssPlace {
  page,  // a style element or attribute: URLs resolve against the page's base
  file,  // a style sheet of its own: against itself
};

void extract_css(std::string_view css, CssPlace place, LinkSink& sink);

}  // namespace caddis::extract
