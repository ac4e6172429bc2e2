#include "caddis/feeds/feed_state.h"

#include <unordered_set>
#include <utility>

#include "caddis/base/hash.h"

namespace caddis::feeds {

uint64_t item_hash(std::string_view text) { return siphash(text, 0, 0); }

ItemIndex by_identity(const std::vector<KnownItem>& items) {
  ItemIndex index;
  index.reserve(items.size());
  for (const KnownItem& item : items) index.try_emplace(item.identity, &item);
  return index;
}

// The latest date is that of its last capture.
ItemIndex by_link(const std::vector<KnownItem>& items) {
  ItemIndex index;
  index.reserve(items.size());
  for (const KnownItem& item : items) {
    const KnownItem*& newest_one = index[item.link];
    if (newest_one == nullptr || newest_one->date < item.date) newest_one = &item;
  }
  return index;
}

const KnownItem* find(const ItemIndex& index, uint64_t hash) {
  const auto found = index.find(hash);
  return found == index.end() ? nullptr : found->second;
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
