// Any bytes as a sitemap, under limits small enough to be met.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/feeds/sitemap.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::feeds;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const SitemapLimits limits{.max_bytes = 4096, .max_entries = 5, .max_url_length = 64, .max_links_per_entry = 3};
  const auto sitemap = parse_sitemap(body, limits);
  looks_like_sitemap(body);
  if (!sitemap) return 0;
  CADDIS_CHECK(sitemap->entries.size() <= limits.max_entries);
  for (const SitemapEntry& entry : sitemap->entries) {
    CADDIS_CHECK(!entry.loc.empty() && entry.loc.size() <= limits.max_url_length);
    CADDIS_CHECK(entry.embeds.size() + entry.alternates.size() <= limits.max_links_per_entry);
  }
  return 0;
}
