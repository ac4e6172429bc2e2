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

}  // namespace caddis::collection
