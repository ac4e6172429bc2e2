// An attribute of a candidate: it is a feed that is polled, or follows from one. It goes from the feed to its items, to
// what these embed, and along redirects, so that the site's round (feeds/feed_site.h) knows when all of it is done.
//
// A plain value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/feeds/feed_state.h"
#include "caddis/frontier/candidate.h"

namespace caddis::visit {

// CrawlRSS's RSS_FEED, RSS_LINK, RSS_INFERRED, RSS_DERIVED.
enum class FeedUrlKind : uint8_t { feed, item, implied, derived };

struct FeedOrigin {
  FeedUrlKind kind = FeedUrlKind::derived;
  std::string site;            // its name
  uint64_t round = 0;          // of the site
  std::string feed;            // of a feed: its URL in the plan of the site, whatever it redirects to
  feeds::FeedCapture capture;  // of a feed: the latest, about which the server is asked

  // Returns nothing if the URL has to do with no feed.
  static std::optional<FeedOrigin> of(const frontier::Candidate& candidate);
  void put_into(frontier::Candidate& candidate) const;
  // The origin of what its document links to, or redirects to.
  FeedOrigin next(bool is_redirect) const;
  // Whether no scope is asked about it.
  bool is_given() const { return kind != FeedUrlKind::derived; }
};

}  // namespace caddis::visit
