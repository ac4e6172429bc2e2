#include "caddis/crawl/feed_rows.h"

#include <gtest/gtest.h>

#include <memory>

#include "caddis/base/strings.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/memory_kv.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kNow = WallTime(1'700'000'000s);
const std::string kPlan = "a: every 1h feed http://a.test/rss implies http://a.test/", kFeed = "http://a.test/rss";

feeds::FeedSite polled() {
  feeds::FeedSite site(*feeds::parse_site_plan(kPlan));
  const feeds::SiteRules rules{.min_wait = 1h, .max_wait = 1h, .max_back_off = 1h, .longest_round = 0s};
  site.begin_round(kNow);
  site.add_in_progress(1, 1, false);
  feeds::Feed feed;
  feed.title = "T";
  feed.version = "2.0";
  feed.items.push_back({.link = "http://a.test/1", .id = "1", .published = kNow, .updated = {}});
  const feeds::FeedCapture capture{.url = kFeed,
                                   .date = kNow,
                                   .record_id = "<urn:uuid:1>",
                                   .etag = "\"e\"",
                                   .last_modified = {},
                                   .digest = "sha1:X",
                                   .mime = "text/xml"};
  EXPECT_EQ(site.feed_read(kFeed, feed, capture, kNow, rules).size(), 2u);
  site.answered(1, true);
  site.add_in_progress(1, 2, false);
  return site;
}

std::string text(std::string_view value) {
  return std::string(1, static_cast<char>(value.size())) + std::string(value);
}

// Byte by byte, as docs/formats/feeds.md says.
TEST(FeedRows, AreWrittenAsTheirPageSays) {
  const std::string time = *from_hex("8080f9c0c1c48203");  // kNow
  const std::string site = std::string("\x01\x01\x01", 3) + text(kPlan) + time + std::string(3, '\0') +
                           std::string("\x01\x02\x01\x01\x01\x00\x01\x00\x00", 9) + "\x01" + text("http://a.test/");
  EXPECT_EQ(to_hex(write_feed_site(FeedSource::api, polled())), to_hex(site));
  const std::string zero(1, '\0');
  const std::string item = *from_hex("a1");
  const std::string feed = write_feed(*polled().feed(kFeed));
  const std::string texts = "\x01" + text("T") + text("RSS 2.0") + text("") + text(kFeed) + text("<urn:uuid:1>") +
                            text("\"e\"") + text("") + text("sha1:X") + text("text/xml");
  EXPECT_EQ(to_hex(feed.substr(0, texts.size())), to_hex(texts));
  EXPECT_EQ(to_hex(feed.substr(texts.size(), 19)), to_hex(time + time + time + std::string(2, '\0')).substr(0, 38));
}

TEST(FeedRows, TellOfLostRedirectsIfThereAreAny) {
  feeds::FeedSite site = polled();
  const std::string before = write_feed_site(FeedSource::api, site);
  site.lost(2);
  site.add_in_progress(1, 1, false);
  site.lost(1);
  const std::string row = write_feed_site(FeedSource::api, site);
  EXPECT_EQ(row.size(), before.size() + 1);
  EXPECT_EQ(row.back(), '\x02');
  store::MemoryKvDisk disk;
  const auto kv = *disk.open(family_names());
  store::Batch batch;
  batch.put(kMeta, feed_site_key("a"), row);
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  EXPECT_EQ(read_feed_sites(*kv)->at("a").site.facts().lost_redirects, 2u);
}

TEST(FeedRows, AreReadAsTheyWereWritten) {
  store::MemoryKvDisk disk;
  const auto kv = *disk.open(family_names());
  const feeds::FeedSite site = polled();
  store::Batch batch;
  batch.put(kMeta, feed_site_key("a"), write_feed_site(FeedSource::database, site));
  batch.put(kMeta, feed_key("a", kFeed), write_feed(*site.feed(kFeed)));
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  const auto sites = read_feed_sites(*kv);
  ASSERT_TRUE(sites) << sites.error().message;
  ASSERT_EQ(sites->size(), 1u);
  const KeptFeedSite& kept = sites->at("a");
  EXPECT_EQ(kept.source, FeedSource::database);
  EXPECT_EQ(to_line(kept.site.plan()), kPlan);
  EXPECT_EQ(kept.site.facts().in_progress, 2u);
  EXPECT_EQ(kept.site.facts().status, feeds::SiteStatus::crawling);
  const feeds::FeedState& state = *kept.site.feed(kFeed);
  EXPECT_EQ(write_feed(state), write_feed(*site.feed(kFeed)));
  EXPECT_EQ(state.items.size(), 1u);
  EXPECT_EQ(state.newest, 1'700'000'000);

  batch.put(kMeta, feed_key("a", kFeed), write_feed(state).substr(3));
  ASSERT_TRUE(kv->write(batch, store::Durability::synced));
  const auto damaged = read_feed_sites(*kv);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace caddis::crawl
