// The settings of the section `feeds`: sites whose feeds are polled for new items, for as long as the crawl runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/settings/schema.h"

namespace caddis::feeds {

struct FeedSettings {
  std::vector<std::string> sites;  // site_plan.h
  Duration min_wait = std::chrono::minutes(10);
  std::string hop_path = ".R?((E{0,2})|XE?)";
  bool updated_items = true;
  bool adaptive = false;
  Duration max_wait = std::chrono::hours(24);
  Duration max_back_off = std::chrono::hours(6);
  Duration longest_round = std::chrono::hours(6);  // 0: none is too long
  int64_t failures_told = 3;
  std::string database;  // empty: none
  Duration database_interval = std::chrono::seconds(5);

  // The crawl waits for polls when nothing else is left.
  bool waits_for_polls() const { return !sites.empty() || !database.empty(); }
};

// The checks that no single row can do: ErrorCode::config names the setting.
Result<void> validate(const FeedSettings& settings);

}  // namespace caddis::feeds

namespace caddis::settings {
template <>
const Schema& schema_of<feeds::FeedSettings>();
}  // namespace caddis::settings
