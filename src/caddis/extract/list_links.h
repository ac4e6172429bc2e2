// Links in lists that sites have for machines: sitemaps, and what is in buckets and containers. Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

// A sitemap, also a gzip file of one. What says that it is older than the plan's date is left out.
void extract_sitemap(std::string_view body, const Plan& plan, LinkSink& sink);

// ListBucketResult (S3, Google Cloud Storage) and EnumerationResults (Azure): objects, common prefixes, the next page.
// The objects are below the URL of the listing.
void extract_listing(std::string_view source, LinkSink& sink);

}  // namespace caddis::extract
