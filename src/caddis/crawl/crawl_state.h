// The state of a launch, as it is on disk and in memory: everything that a crawl goes on with after a restart, and
// nothing that makes it run. A plain owner: the launcher fills it for a crawl that runs, StoppedCrawl as far as it
// takes to look at one that does not.
//
// Belongs to the crawl's loop, but for `settings`, `scope` and `addresses`, which look after themselves.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/collection/launch.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/settings_snapshot.h"
#include "caddis/crawl/statistics.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/frontier/frontier.h"
#include "caddis/io/files.h"
#include "caddis/scope/scope.h"
#include "caddis/store/kv.h"
#include "caddis/store/seen.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {

struct CrawlState {
  explicit CrawlState(io::Files& files) : files(files), settings(files) {}

  io::Files& files;
  collection::Launch launch;
  // Folders that were made for a launch that is new; nothing for one that was resumed.
  std::optional<std::vector<std::string>> made_folders;
  std::unique_ptr<io::FileLock> lock;
  std::unique_ptr<store::Kv> kv;
  std::unique_ptr<store::StreamSet> streams;
  store::SeenSet seen;
  frontier::Identity identity;
  Statistics statistics;
  std::vector<Checkpoint> checkpoints;  // the oldest first
  std::unique_ptr<scope::Scope> scope;
  fetch::AddressPolicy addresses;
  LiveSettings settings;
  std::optional<config::SettingsCache> effective;  // of `settings`, as the loop has looked them up
  std::unique_ptr<frontier::CrawlFrontier> frontier;

  // From now on these count, with the sheets that hold now. To be called first when the rules of the scope are known.
  Result<void> replace_settings(config::Settings wanted, const scope::SiteRules& rules, WallTime now);
};

// The options of the frontier of that state, the same for a crawl that runs and for one that is looked at. Its settings
// must be there; the frontier follows their sheets from then on, so the state must outlive it.
Result<frontier::Frontier::Options> frontier_options(CrawlState& state);

// The rows of `meta` that begin with `prefix`: what follows it in the key, and the value.
Result<std::map<std::string, std::string, std::less<>>> rows_of(store::Kv& kv, std::string_view prefix);

}  // namespace caddis::crawl
