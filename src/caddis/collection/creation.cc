#include "caddis/collection/creation.h"

#include <fmt/format.h>

#include "caddis/base/time_format.h"
#include "caddis/collection/folders.h"

namespace caddis::collection {

Result<Launch> create_launch(io::Files& files, const std::string& collection, std::string_view crawl_name, WallTime now,
                             Privacy privacy) {
  Launch launch{collection, {}};
  do {
    launch.name = fmt::format("{}-{}", crawl_name, timestamp14(now));
    now += std::chrono::seconds(1);
  } while (files.exists(launch.folder()));
  for (const Privacy kept : {Privacy::state, privacy}) TRY_VOID(keep_private(files, launch, kept));
  const Layout layout = launch.layout();
  for (const std::string& folder :
       {layout.archive(), layout.indexes(), layout.pages(), launch.logs(), launch.reports(), launch.state()}) {
    if (auto made = files.make_dirs(folder); !made)
      return pass(std::move(made).error(), "cannot make the folders of the crawl");
  }
  for (const std::string& folder : {io::parent_path(collection), collection, layout.crawls(), launch.folder()})
    TRY_VOID(files.sync_dir(folder));
  return launch;
}

Result<void> keep_private(io::Files& files, const Launch& launch, Privacy privacy) {
  return files.keep_private(privacy == Privacy::launch ? launch.folder() : launch.state());
}

Result<void> make_missing_folders(io::Files& files, const Launch& launch) {
  const Layout layout = launch.layout();
  for (const std::string& folder : {layout.indexes(), layout.pages(), launch.reports()}) {
    if (files.exists(folder)) continue;
    TRY_VOID(files.make_dirs(folder));
    TRY_VOID(files.sync_dir(io::parent_path(folder)));
  }
  return {};
}

std::vector<std::string> missing_folders(io::Files& files, const std::string& collection) {
  std::vector<std::string> missing;
  for (std::string folder = collection; !files.exists(folder); folder = io::parent_path(folder)) {
    missing.insert(missing.begin(), folder);
    if (folder == io::parent_path(folder)) break;
  }
  for (std::string& folder : Layout(collection).folders())
    if (!files.exists(folder)) missing.push_back(std::move(folder));
  return missing;
}

void take_back(io::Files& files, const Launch& launch, const std::vector<std::string>& made, bool holds_lock) {
  if (!launch.name.empty()) remove_tree(files, launch.folder());
  const Layout layout = launch.layout();
  for (auto folder = made.rbegin(); folder != made.rend(); ++folder) {
    if (holds_lock && *folder == layout.crawls()) (void)files.remove(layout.lock_file());
    (void)files.remove(*folder);
  }
}

}  // namespace caddis::collection
