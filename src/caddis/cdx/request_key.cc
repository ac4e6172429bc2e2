#include "caddis/cdx/request_key.h"

#include "caddis/base/strings.h"
#include "caddis/io/base32.h"

namespace caddis::cdx {

std::string key_body(std::string_view content_type, std::string_view body) {
  // More of it makes no other key.
  body = body.substr(0, kMostKeyBody);
  if (starts_with_ignore_case(content_type, "application/x-www-form-urlencoded")) return std::string(body);
  return "__wb_post_data=" + io::encode_base64(body).substr(0, kMostKeyBody);
}

}  // namespace caddis::cdx
