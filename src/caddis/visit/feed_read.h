// The outcome of the fetch of a feed, for the site that polls it (crawl/feed_book.h).
#pragma once

#include <optional>
#include <string>

#include "caddis/feeds/feed.h"
#include "caddis/feeds/feed_state.h"

namespace caddis::visit {

struct FeedRead {
  bool is_unchanged = false;        // as the server says, or its digest
  std::optional<feeds::Feed> feed;  // of an answer that is a feed
  feeds::FeedCapture capture;       // of an answer with a payload; its record is not known yet
  std::string trouble;              // of one that is no feed: why
};

}  // namespace caddis::visit
