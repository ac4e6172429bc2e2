// Documents as lines that can be compared (diff.h): what readers of a page see, or its source. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caddis::replay {

// `html` in UTF-8. A line for each block; blanks are one, scripts and styles are left out, pictures are their text in
// brackets.
std::vector<std::string> text_of_html(std::string_view html);

// Lines as they are; very long ones, as programs write them, are broken at ends of statements and tags.
std::vector<std::string> lines_of_source(std::string_view text);

}  // namespace caddis::replay
