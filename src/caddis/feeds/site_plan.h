// A site of feeds as people name it: what is to be polled, how often at most, and which pages change with it.
//
//   ruv.is: every 1h30m feed https://www.ruv.is/rss/frettir implies https://www.ruv.is/ feed https://www.ruv.is/rss/ithrottir
//
// The name is followed by a colon; "every" (a duration) comes before the feeds, "implies" and its URLs behind the feed
// that they are of. "paused" in front keeps the site from being polled. Plain values.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::feeds {

struct FeedPlan {
  std::string url;                         // as WHATWG writes it, without a fragment
  std::vector<std::string> implied_pages;  // captured whenever the feed has new items
  bool operator==(const FeedPlan&) const = default;
};

struct SitePlan {
  static constexpr Duration kLeastWait = std::chrono::minutes(1);
  static constexpr size_t kMostName = 200, kMostFeeds = 1000, kMostPages = 1000;

  std::string name;
  std::optional<Duration> wait;  // from one poll to the next, at least; otherwise that of the settings
  bool active = true;
  std::vector<FeedPlan> feeds;
  bool operator==(const SitePlan&) const = default;
};

// ErrorCode::config says what is wrong, and with which word.
Result<SitePlan> parse_site_plan(std::string_view line);
// The line that is read as this.
std::string to_line(const SitePlan& plan);
// Brings URLs into their form, and checks all of it, whoever wrote it. ErrorCode::config.
Result<void> check_site_plan(SitePlan& plan);
// The same for several: no two may have one name.
Result<std::vector<SitePlan>> parse_site_plans(const std::vector<std::string>& lines);

}  // namespace caddis::feeds
