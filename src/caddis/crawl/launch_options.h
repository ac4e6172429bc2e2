// How a crawl is to begin, or to go on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "caddis/config/settings.h"
#include "caddis/crawl/recover.h"
#include "caddis/crawl/seed_list.h"
#include "caddis/repair/repair_plan.h"

namespace caddis::crawl {

using repair::MissingFiles;

struct LaunchOptions {
  std::string collection;
  config::Settings settings;
  std::vector<SeedSource> seed_lists;  // besides those that the settings name
  bool resume = false;
  std::string checkpoint;                        // for resuming: the name of one to go back to, or "latest"
  std::optional<RecoverOptions> recover;         // a recovery log to import first
  std::string from_checkpoint;                   // for a new launch: the path of one to begin with (fork.h)
  MissingFiles missing = MissingFiles::refused;  // for resuming
  // For resuming, and for beginning with a checkpoint: called with the stored settings, to lay what the user gave anew
  // over them.
  std::function<Result<void>(config::Settings&)> overlay;
};

inline bool has_seed_lists(const LaunchOptions& options) {
  return !options.seed_lists.empty() || !options.settings.crawl.seed_files.empty();
}

}  // namespace caddis::crawl
