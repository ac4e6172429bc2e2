// The memory of one feed: which of its items are known, and what its server said of its last state. A plain value; the
// site it belongs to (feed_site.h) knows the others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "caddis/base/clock.h"

namespace caddis::feeds {

// An item as it is remembered. Dates are seconds since 1970, 0 for none.
struct KnownItem {
  uint64_t identity = 0;  // a hash of its id, or of its link if it has none
  uint64_t link = 0;      // a hash of its link
  int64_t date = 0;
  bool operator==(const KnownItem&) const = default;
};

// The capture that the server is asked about, and that a revisit refers to.
struct FeedCapture {
  std::string url;  // as in its record
  WallTime date{};
  std::string record_id;  // with brackets; may be empty
  std::string etag, last_modified;
  std::string digest;  // labelled, of the payload; empty: nothing was captured yet
  std::string mime;
  bool operator==(const FeedCapture&) const = default;
};

struct FeedState {
  // Besides those of the latest document, so many items are remembered.
  static constexpr size_t kMostOthers = 1000;

  std::string title, form;       // "RSS 2.0"
  int64_t newest = 0;            // the date of the newest item seen
  std::vector<KnownItem> items;  // those of the latest document first
  FeedCapture capture;

  uint64_t fetches = 0, unchanged = 0, found = 0;  // items found to be new
  uint64_t failures = 0, failures_in_row = 0;
  std::string trouble;  // of the last failure; empty after a success
  WallTime last_fetch{}, last_found{}, last_failure{};
  WallTime not_before{};             // it backs off until then
  uint64_t asked = 0, answered = 0;  // the rounds in which it was, last
};

// Known items by a hash, for a read of a document with many. It refers to the items, which must stay as they are.
using ItemIndex = std::unordered_map<uint64_t, const KnownItem*>;
ItemIndex by_identity(const std::vector<KnownItem>& items);
// It has the one with the latest date if several have the same link.
ItemIndex by_link(const std::vector<KnownItem>& items);
// Null if it is not known.
const KnownItem* find(const ItemIndex& index, uint64_t hash);
// The items of a document take the place of those of the last; some of the others stay known.
void remember(FeedState& state, std::vector<KnownItem> latest);

// Hashes, the same on every machine and for ever.
uint64_t item_hash(std::string_view text);

}  // namespace caddis::feeds
