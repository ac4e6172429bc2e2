// The frontier of a crawl that does not run: to look at, nothing of it is changed.
//
// Holds the lock of the collection: meanwhile no crawl begins or goes on there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/config/settings.h"
#include "caddis/config/settings_cache.h"
#include "caddis/crawl/collection.h"
#include "caddis/frontier/frontier.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"
#include "caddis/store/seen.h"

namespace caddis::crawl {

class StoppedCrawl {
 public:
  // ErrorCode::conflict where it runs after all; ErrorCode::unsupported where its state is of another format.
  static Result<std::unique_ptr<StoppedCrawl>> open(io::Files& files, const Clock& clock,
                                                    const store::KvOpener& open_kv, const Launch& launch);

  frontier::Frontier& frontier() { return *frontier_; }
  // A URL as it would be scheduled. Reads the log of all known URLs, 8 bytes each, to tell whether it is one of them.
  Result<frontier::ScheduledUrl> scheduled_url_of(std::string_view url);
  // The names of the sheets that hold for a URL, the later counts.
  Result<std::vector<std::string>> sheets_of(std::string_view url);

 private:
  explicit StoppedCrawl(io::Files& files) : files_(files) {}

  io::Files& files_;
  Launch launch_;
  std::unique_ptr<io::FileLock> lock_;
  std::unique_ptr<store::Kv> kv_;
  store::SeenSet seen_;  // of those asked for only
  config::Settings settings_;
  frontier::Identity identity_;
  std::optional<config::SettingsCache> sites_;
  std::unique_ptr<frontier::Frontier> frontier_;
};

}  // namespace caddis::crawl
