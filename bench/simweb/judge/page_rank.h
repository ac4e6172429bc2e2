// PageRank of a web's pages: the share of visits that each gets from a reader who follows links at random, and begins
// anew at any page with a chance of 15 % (Brin and Page 1998). The judge weighs pages by it.
//
// Its pages are the numbered ones that must be captured, on hosts that answer. What is linked besides (traps,
// robots.txt, sitemaps, forbidden pages, hosts that cannot be reached) is left out, and so are links to it. Links are
// those of World::links, each target once a page, none to itself:
//   - a redirect is a page with one link; the steps of a chain are passed over, so that its first URL links to its end,
//     and a loop leads nowhere;
//   - a page that duplicates another one links to the same pages, and has a rank of its own;
//   - embedded images, style sheets and scripts are pages as any other; of a feed the items of window 0 are its links;
//   - the rank of a page without links goes to all pages alike.
// Kept: 8 bytes a page. Working it out takes up to 12 bytes a link for that time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simweb/world/world.h"

namespace simweb {

struct PageRankLimits {
  uint64_t pages = 500'000;
  uint64_t links = 60'000'000;
};

class PageRank {
 public:
  // Nothing where the web has more pages or links than that.
  static std::optional<PageRank> create(const World& world, const PageRankLimits& limits = {});

  // Adds up to 1 over all pages; 0 for what is none of them.
  double of(HostId host, const PageRef& page) const;

 private:
  explicit PageRank(std::vector<uint32_t> first) : first_(std::move(first)) {}

  std::vector<uint32_t> first_;  // place of each host's page 0, and the number of places
  std::vector<double> ranks_;
};

}  // namespace simweb
