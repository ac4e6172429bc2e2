#include "caddis/replay/posted.h"

#include "caddis/cdx/line.h"
#include "caddis/cdx/request_key.h"

namespace caddis::replay {

std::vector<std::string> posted_urls(std::string_view url, const http::ServerRequest& request) {
  if (request.method != "POST" && request.method != "PUT" && request.method != "PATCH") return {};
  const std::string whole(url);
  const std::string query = cdx::key_body(request.header("content-type"), request.body);
  std::vector<std::string> urls = {cdx::request_url(whole, request.method, query)};
  const std::string bytes = cdx::key_body_of_bytes(request.body);
  if (bytes != query) urls.push_back(cdx::request_url(whole, request.method, bytes));
  if (request.method == "POST")
    urls.push_back(whole + (url.contains('?') ? '&' : '?') + "__warc_post_data=" + bytes.substr(bytes.find('=') + 1));
  return urls;
}

}  // namespace caddis::replay
