// Any bytes as a feed, under limits small enough to be met.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/feeds/feed.h"
#include "caddis/feeds/feed_date.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::feeds;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const FeedLimits limits{.max_bytes = 8192, .max_items = 5, .max_text = 64};
  const auto base = caddis::url::Url::parse("http://feeds.test/a/feed.xml");
  CADDIS_CHECK(base.has_value());
  parse_feed_date(body);
  const auto feed = parse_feed(body, *base, limits);
  if (!feed) return 0;
  CADDIS_CHECK(feed->items.size() <= limits.max_items);
  for (const FeedItem& item : feed->items) {
    CADDIS_CHECK(!item.link.empty() || !item.id.empty());
    CADDIS_CHECK(item.id.size() <= limits.max_text);
    if (!item.link.empty()) CADDIS_CHECK(caddis::url::Url::parse(item.link).has_value());
  }
  return 0;
}
