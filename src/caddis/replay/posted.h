// Under which URLs the answer to a POST is indexed: crawlers and indexers of the field put what was posted behind the
// URL, as if it were a query (cdx::request_url).
//
//   a form                       __wb_method=POST&name=value
//   a form with files, JSON      __wb_method=POST& and its fields; a second one of a name is "name.2_"
//   anything else                __wb_method=POST&__wb_post_data=<base64>
//   older tools                  __warc_post_data=<base64>
//
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/http/server.h"

namespace caddis::replay {

// The posted body as a query; up to 4096 characters.
std::string posted_query(std::string_view content_type, std::string_view body);

// The likeliest first; none for a request that is no POST.
std::vector<std::string> posted_urls(std::string_view url, const http::ServerRequest& request);

}  // namespace caddis::replay
