#include "caddis/collection/launch.h"

#include <algorithm>

namespace caddis::collection {
namespace {

// Names end in a timestamp, so that the end of a name sorts by time.
std::pair<std::string_view, std::string_view> by_time(const Launch& launch) {
  const std::string_view name = launch.name;
  const size_t dash = name.rfind('-');
  return {dash == std::string_view::npos ? name : name.substr(dash), name};
}

bool has_begun(io::Files& files, const Launch& launch) {
  return launch.name.find('-') != std::string::npos && files.exists(launch.settings_file());
}

}  // namespace

Result<std::vector<Launch>> launch_folders(io::Files& files, const Layout& layout) {
  std::vector<Launch> found;
  if (!files.is_directory(layout.crawls())) return found;
  TRY(auto entries, files.list(layout.crawls()));
  for (io::DirectoryEntry& entry : entries)
    if (entry.is_directory) found.push_back({layout.folder(), std::move(entry.name)});
  std::ranges::sort(found, {}, by_time);
  return found;
}

Result<std::vector<Launch>> launches(io::Files& files, const Layout& layout) {
  TRY(auto found, launch_folders(files, layout));
  std::erase_if(found, [&](const Launch& launch) { return !has_begun(files, launch); });
  return found;
}

Result<std::optional<Launch>> latest_launch(io::Files& files, const std::string& collection) {
  TRY(auto found, launches(files, Layout(collection)));
  if (found.empty()) return std::optional<Launch>();
  return std::optional(std::move(found.back()));
}

}  // namespace caddis::collection
