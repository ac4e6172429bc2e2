// Sitemaps (https://www.sitemaps.org/protocol.html): XML url sets, XML indexes of sitemaps, and plain lists of URLs.
//
// Reads what real sites serve: other or no namespaces, prefixes, a <sitemap> without <loc>, several <loc> in one entry,
// CDATA, leading white space, a file cut short. DTDs are not read: their entities mean nothing, no file is ever opened.
// Not read here: gzip (give it the decoded body), RSS and Atom (refused as such).
// A pure function over borrowed bytes; limits bound what it keeps.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::feeds {

enum class SitemapKind { url_set, index, text };
enum class ChangeFrequency { unknown, always, hourly, daily, weekly, monthly, yearly, never };

struct SitemapEntry {
  std::string loc;  // as written, trimmed and with entities resolved; relative ones are for the caller to resolve
  std::optional<WallTime> lastmod;
  std::optional<WallTime> lastmod_end;  // the last moment that it may name: "2026" is a whole year
  ChangeFrequency changefreq = ChangeFrequency::unknown;
  double priority = 0.5;
  std::vector<std::string> embeds;      // images, videos and their thumbnails and players
  std::vector<std::string> alternates;  // the page in other languages (xhtml:link)
};

struct Sitemap {
  SitemapKind kind = SitemapKind::url_set;
  std::vector<SitemapEntry> entries;
  bool cut =
      false;  // ended before its end tag, was not well-formed from some point on, or held more than the limits allow
};

struct SitemapLimits {
  size_t max_bytes = 64u << 20;   // the protocol says 50 MB
  size_t max_entries = 100'000;   // the protocol says 50,000
  size_t max_url_length = 8'192;  // longer ones are left out
  size_t max_links_per_entry = 1'100;
};

// Fails on what is no sitemap at all. Broken XML fails only where it yields no entry before the break.
Result<Sitemap> parse_sitemap(std::string_view body, const SitemapLimits& limits = {});

// Whether the first bytes look like a sitemap of either XML kind.
bool looks_like_sitemap(std::string_view body);

}  // namespace caddis::feeds
