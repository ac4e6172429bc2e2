// URLs in markup that stands in something else: a string of a script, a text of a feed. Internal to extract.
#pragma once

#include <functional>
#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::html {
struct Token;
}

namespace caddis::extract {

// Calls `take` for the values of attributes that may be URLs, and for the URLs of styles; `is_url` where they always are.
void each_url_of_markup(std::string_view markup, const std::function<void(std::string_view url, bool is_url)>& take);

// The same of one start tag.
void each_url_of_tag(const html::Token& tag, const std::function<void(std::string_view url, bool is_url)>& take);

// The same of a style sheet.
void each_url_of_css(std::string_view css, const std::function<void(std::string_view url, bool is_url)>& take);

}  // namespace caddis::extract
