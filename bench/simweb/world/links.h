// The links of a page, by random access: worked out one at a time, kept nowhere. Internal to the world.
#pragma once

#include "simweb/world/world.h"

namespace simweb {

// A link with what is needed to write it.
struct Target {
  HostId host = 0;
  PageRef page;
  char hop = 'L';
  bool outside = false;  // of the host
  bool https = false;
  uint64_t chance = 0;  // for its looks
};

// 'E' for what belongs to a page, 'L' for what it leads to.
constexpr char hop_of(Kind kind) {
  return kind == Kind::image || kind == Kind::style || kind == Kind::script ? 'E' : 'L';
}

// The links of the HTML page with the content of page `number`: to its children in the tree, to hosts below a hub, to
// sitemap and traps, and by chance. The world and the host must outlive it.
class Links {
 public:
  Links(const World& world, const HostFacts& host, uint64_t number);
  size_t size() const { return children_ + hosts_ + extras_ + chance_; }
  Target operator[](size_t i) const;
  // A page of the host, popular ones more often.
  PageRef chance_page(uint64_t x) const;

 private:
  Target inside(const PageRef& page, uint64_t x) const;
  Target child_host(size_t i) const;
  Target extra(size_t i) const;
  Target chance(size_t i) const;
  Target chance_outside(uint64_t x) const;

  const World& world_;
  const HostFacts& host_;
  uint64_t number_;
  size_t children_ = 0, hosts_ = 0, extras_ = 0, chance_ = 0;
  size_t siblings_ = 0;  // of hosts_, those of the hub's own block
  double log2_pages_ = 0;
};

// The home page of a host, popular ones more often; of any page, if `deep`.
Target chance_host(const World& world, uint64_t x, bool deep);

// Of which page's content a page shows: itself, or another one that it duplicates.
struct Content {
  uint64_t number = 0;  // decides links and everything else
  uint64_t text = 0;    // decides text, size and charset
};
Content content_of(const World& world, const HostFacts& host, const PageRef& page);

// A number that stands in the body of that page, another one in each version in which the page has changed.
uint64_t token_of(const World& world, const HostFacts& host, uint64_t number);

// What trap pages lead to.
std::vector<PageRef> trap_links(const World& world, const HostFacts& host, const PageRef& page);
std::vector<PageRef> trap_entries();
// Pages that a feed shows in a time window.
std::vector<PageRef> feed_items(const World& world, const HostFacts& host, const PageRef& page, int64_t window);
// Pages that a sitemap lists.
std::vector<PageRef> sitemap_pages(const World& world, const HostFacts& host, uint64_t number);
// Images that a style sheet uses.
std::vector<PageRef> style_images(const World& world, const HostFacts& host, const PageRef& page);
// Where a redirect (a step of one included) leads to.
Target redirect_target(const World& world, const HostFacts& host, const PageRef& page);

// Whether the page is HTML with links of its own.
constexpr bool has_page_body(Kind kind) {
  switch (kind) {
    case Kind::html:
    case Kind::hidden:
    case Kind::hidden_query:
    case Kind::shown:
    case Kind::too_many:
    case Kind::unavailable:
    case Kind::length_long:
    case Kind::length_short:
    case Kind::truncated:
    case Kind::reset:
    case Kind::hang:
    case Kind::charset_conflict:
      return true;
    default:
      return false;
  }
}

}  // namespace simweb
