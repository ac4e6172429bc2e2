// The rows in which a crawl keeps the sites whose feeds it polls, in its family `meta`:
//
//   "feed-site:<name>"           who has named it, its plan, and the facts of its rounds
//   "feed:<name>/<URL of feed>"  the memory of one feed
//
// docs/formats/feeds.md. Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/feeds/feed_site.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

inline constexpr std::string_view kFeedSiteRow = "feed-site:";
inline constexpr std::string_view kFeedRow = "feed:";

// The source that has named a site. The first that does has it.
enum class FeedSource : uint8_t { settings, api, database };
std::string_view to_string(FeedSource source);

struct KeptFeedSite {
  FeedSource source = FeedSource::settings;
  feeds::FeedSite site;
};

std::string write_feed_site(FeedSource source, const feeds::FeedSite& site);
std::string write_feed(const feeds::FeedState& state);
// ErrorCode::corrupt if it is no such row.
Result<feeds::FeedState> read_feed(std::string_view row);
std::string feed_site_key(std::string_view site);
std::string feed_key(std::string_view site, std::string_view feed);

// All that the store has, by name. ErrorCode::corrupt names the row.
Result<std::map<std::string, KeptFeedSite, std::less<>>> read_feed_sites(store::Kv& kv);

}  // namespace caddis::crawl
