// The settings of the section `extract`: which links of a document are followed.
#pragma once

#include <cstddef>

#include "caddis/settings/schema.h"

namespace caddis::extract {

struct Options {
  size_t max_length = 20'000'000;  // bytes of a document, for who decodes it; of a sitemap, kMaxSitemap if that is more
  size_t max_links = 6000;         // of one document; further ones are dropped and counted
  size_t max_sitemap_links = 50000;  // the same for sitemaps
  size_t max_url_length = 2083;      // longer ones are dropped and counted
  bool javascript = true;            // strings in scripts and event handlers that are surely URLs
  bool value_attributes = true;      // value="…" that is surely a URL
  bool forms = true;                 // form/@action,
  bool only_get_forms = true;        // of method GET only
  bool frames_as_embeds = true;      // frame and iframe: E, else L
  bool obey_rel_nofollow = false;    // leave out <a rel=nofollow>
  bool obey_meta_nofollow = true;    // what says nofollow by <meta name=robots> or X-Robots-Tag has no links
  bool not_found_pages = true;       // also the body of a 404
  bool favicon = true;               // infer /favicon.ico from every HTML page
};

}  // namespace caddis::extract

namespace caddis::settings {
template <>
const Schema& schema_of<extract::Options>();
}  // namespace caddis::settings
