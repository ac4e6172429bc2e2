// The properties of a page and of items in it, by what their names say of their content: Open Graph, Twitter cards,
// microdata. Internal to extract; pure, any thread.
#pragma once

#include <string_view>

namespace caddis::extract {

// Whether `content` (trimmed) is a URL if it belongs to a property of one of these names, which spaces separate: that of
// an image if it ends like a file, that of a property which can hold nothing but a URL also if it is any path that says
// where it begins ("/image9").
bool is_url_of_property(std::string_view names, std::string_view content);

}  // namespace caddis::extract
