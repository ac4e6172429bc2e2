// Under which URLs the answer to a POST is indexed, as tools of the field write them: the URL with the method and the body
// as its query (cdx::request_url). Pure, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caddis::replay {

// The likeliest first; empty for a body that is too long to be a key. A form stands there as it is, JSON by the names and
// values in it, anything else in base64.
std::vector<std::string> post_urls(std::string_view url, std::string_view content_type, std::string_view body);

}  // namespace caddis::replay
