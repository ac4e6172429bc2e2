#include <cstdint>
#include <cstdlib>

#include "caddis/extract/extract.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/url.h"

// The first byte says as what the rest is read; the rest is also the value of a Link field.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static constexpr std::string_view kTypes[] = {"text/html", "text/css", "text/javascript", "application/json",
                                                "text/xml",  "",         "text/plain",      "image/svg+xml"};
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const caddis::extract::HeaderField fields[] = {{"Link", body.substr(0, 500)}, {"Refresh", body.substr(0, 100)}};
  caddis::extract::Document document;
  document.url = "http://example.org/robots.txt";
  document.content_type = kTypes[data[0] % std::size(kTypes)];
  document.body = body;
  document.fields = fields;
  caddis::extract::Options options;
  options.max_links = 100;
  const caddis::extract::Extracted found = caddis::extract::extract(document, options);
  if (found.links.size() > options.max_sitemap_links) std::abort();
  for (const auto& link : found.links) {
    const auto parsed = caddis::url::Url::parse(link.url());
    if (!parsed || parsed->href() != link.url() || !caddis::url::can_be_crawled(*parsed) || parsed->has_fragment())
      std::abort();
  }
  return 0;
}
