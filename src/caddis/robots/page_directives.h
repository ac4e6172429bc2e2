// The directives of a page for robots, in <meta name=robots> and X-Robots-Tag: not to be listed, not to be kept, until when.
//
// No RFC has them. The words are those that search engines agree on; others (max-snippet, noimageindex) are passed over,
// since nothing here goes by them. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"

namespace caddis::robots {

struct PageDirectives {
  bool noindex = false;
  bool nofollow = false;
  bool noarchive = false;
  bool nosnippet = false;
  std::optional<WallTime> unavailable_after;  // the earliest, if several are named

  // Adds those of another place: all of them count.
  void add(const PageDirectives& others);
  bool empty() const;
  // Returns "noindex+nofollow": those that are said, in this order. Empty if there are none.
  std::string text() const;
  bool operator==(const PageDirectives&) const = default;
};

// The fate of a page that says so: it is archived, on record with what it says, or it is left out of the archive.
enum class WhenSaid { archive, leave_out };

struct PagePolicy {
  WhenSaid noindex = WhenSaid::archive;
  WhenSaid noarchive = WhenSaid::archive;
  WhenSaid unavailable_after = WhenSaid::archive;  // once that time has come
};

bool leaves_out(const PagePolicy& policy, const PageDirectives& said, WallTime now);

// Whether a meta element or a part of X-Robots-Tag of that name is for the crawl: "robots", "caddis", or the product
// token under which it looks up robots.txt. Case does not count.
bool addresses_us(std::string_view name, std::string_view product_token);

// Returns those of a meta element's content: "noindex, nofollow". `none` is both.
PageDirectives parse_directives(std::string_view content);

// Returns those of one field X-Robots-Tag that are for the crawl. "otherbot: noindex, nofollow, caddis: noarchive": a
// name is for all that follows it, up to the next name; what comes before the first is for everyone.
PageDirectives parse_robots_tag(std::string_view value, std::string_view product_token);

}  // namespace caddis::robots
