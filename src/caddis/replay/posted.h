// Under which URLs the answer to a POST, PUT or PATCH is indexed: crawlers and indexers of the field put what was sent behind
// the URL, as if it were a query (cdx::request_url, cdx::key_body).
//
//   indexers of the field                      __wb_method=POST& and the fields that were sent
//   those that know neither JSON nor parts     __wb_method=POST&__wb_post_data=<base64>
//   older tools                                __warc_post_data=<base64>
//
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/http/server.h"

namespace caddis::replay {

// The likeliest first; none for other methods.
std::vector<std::string> posted_urls(std::string_view url, const http::ServerRequest& request);

}  // namespace caddis::replay
