#include "caddis/feeds/feed_state.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "caddis/base/hash.h"

namespace caddis::feeds {

uint64_t item_hash(std::string_view text) { return siphash(text, 0, 0); }

const KnownItem* find_item(const FeedState& state, uint64_t identity) {
  const auto place = std::ranges::find(state.items, identity, &KnownItem::identity);
  return place == state.items.end() ? nullptr : &*place;
}

// The latest date is that of its last capture.
const KnownItem* find_link(const FeedState& state, uint64_t link) {
  const KnownItem* newest_one = nullptr;
  for (const KnownItem& item : state.items)
    if (item.link == link && (newest_one == nullptr || newest_one->date < item.date)) newest_one = &item;
  return newest_one;
}

void remember(FeedState& state, std::vector<KnownItem> latest) {
  std::unordered_set<uint64_t> present;
  for (const KnownItem& item : latest) present.insert(item.identity);
  size_t others = 0;
  for (const KnownItem& item : state.items) {
    if (others == FeedState::kMostOthers) break;
    if (!present.insert(item.identity).second) continue;
    latest.push_back(item);
    ++others;
  }
  state.items = std::move(latest);
}

}  // namespace caddis::feeds
