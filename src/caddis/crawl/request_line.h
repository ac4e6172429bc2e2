// A line of an action file of the kind `.requests`: a URL, and what is sent to it in the place of a plain GET
// (docs/formats/action.md).
//
//   {"url": "https://example.org/search", "method": "POST", "body": "q=herons", "headers": ["X-Lang: en"]}
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/visit/url_request.h"

namespace caddis::crawl {

struct RequestLine {
  std::string url;
  visit::UrlRequest request;
};

// ErrorCode::parse says what is wrong.
Result<RequestLine> parse_request_line(std::string_view line);
// The same line again, without a line end.
std::string write_request_line(std::string_view url, const visit::UrlRequest& request);

}  // namespace caddis::crawl
