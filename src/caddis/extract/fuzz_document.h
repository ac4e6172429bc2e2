// One document for fuzz targets, under limits small enough to be met. Internal to extract's fuzz targets.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "caddis/extract/extract.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/url.h"

namespace caddis::extract {

// Ends the process if a link is none, or if there are more than the limit allows.
inline void fuzz_document(std::string_view url, std::string_view type, std::string_view body, Options options) {
  options.max_links = options.max_sitemap_links = 100;
  const Extracted found = extract({.url = url, .content_type = type, .body = body}, options);
  if (found.links.size() > options.max_links) std::abort();
  for (const Link& link : found.links) {
    const auto parsed = url::Url::parse(link.url());
    if (!parsed || parsed->href() != link.url() || !url::can_be_crawled(*parsed) || parsed->has_fragment())
      std::abort();
  }
}

}  // namespace caddis::extract
