// A line of anybody's that wants a request: what is taken of it travels with a URL as it is, and has a key.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/crawl/request_line.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const auto line = crawl::parse_request_line({reinterpret_cast<const char*>(data), size});
  if (!line) return 0;
  frontier::Candidate candidate;
  line->request.put_into(candidate);
  const auto back = visit::UrlRequest::of(candidate);
  CADDIS_CHECK(back && back->method == line->request.method && back->body == line->request.body);
  CADDIS_CHECK(back->content_type == line->request.content_type && back->headers == line->request.headers);
  const auto written = crawl::parse_request_line(crawl::write_request_line(line->url, line->request));
  CADDIS_CHECK(written && written->url == line->url && written->request.body == line->request.body);
  CADDIS_CHECK(written->request.method == line->request.method && written->request.headers == line->request.headers);
  const auto url = url::Url::parse("https://example.org/a?b");
  const auto key = back->key_url(*url);
  CADDIS_CHECK(!key || key->hostname() == "example.org");
  return 0;
}
