// The first byte says as what the rest is read; the extractors that are off by default are on.
#include "caddis/extract/fuzz_document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::extract;
  if (size == 0) return 0;
  static constexpr std::string_view kTypes[] = {"application/rss+xml",
                                                "application/feed+json",
                                                "application/xml",
                                                "application/manifest+json",
                                                "text/vtt",
                                                "text/calendar",
                                                "text/html",
                                                "application/speculationrules+json",
                                                "application/octet-stream"};
  Options options{.extractors = {"+universal", "+whois", "+multiple-regex", "+uri-in-uri", "+implied-uris"},
                  .sites = {.paths = {"/"}, .sitemap_urls = {"."}, .sitemap_newer_than = "2025-01-01"}};
  options.patterns.implied_uris = {"http://(.*)/(.*) -> http://$2/$1$$"};
  options.patterns.multiple_url = ".*";
  options.patterns.multiple_parts = {"a: (\\w+)=(\\w*)", "b: <(\\w)"};
  options.patterns.multiple_format = "/${a[1]}/${b[1]}?${a[2]}$";
  fuzz_document("http://example.org/oai?verb=ListRecords&marker=1", kTypes[data[0] % std::size(kTypes)],
                {reinterpret_cast<const char*>(data) + 1, size - 1}, options);
  return 0;
}
