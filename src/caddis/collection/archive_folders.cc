#include "caddis/collection/archive_folders.h"

#include <algorithm>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"

namespace caddis::collection {
namespace {

constexpr uint64_t kLongestList = 1 << 20;  // bytes

}  // namespace

std::vector<std::string> archive_folders(io::Files& files, const Layout& layout) {
  std::vector<std::string> folders = {layout.archive()};
  if (!files.exists(layout.archive_folder_list())) return folders;
  const auto list = files.read_all(layout.archive_folder_list(), kLongestList);
  if (!list) {
    log_warn("collection", "{}: {}", layout.archive_folder_list(), list.error().message);
    return folders;
  }
  for (const std::string_view line : split(*list, '\n'))
    if (const std::string_view folder = trim(line); !folder.empty()) folders.push_back(layout.within(folder));
  return folders;
}

Result<void> remember_archive_folder(io::Files& files, const Layout& layout, const std::string& folder) {
  const std::vector<std::string> known = archive_folders(files, layout);
  if (std::ranges::find(known, folder) != known.end()) return {};
  std::string list;
  if (files.exists(layout.archive_folder_list())) {
    TRY(list, files.read_all(layout.archive_folder_list(), kLongestList));
  }
  const std::string inside = layout.folder() + "/";
  list += folder.starts_with(inside) ? folder.substr(inside.size()) : folder;
  list += '\n';
  return files.write_atomically(layout.archive_folder_list(), list);
}

std::vector<std::string> places_of_archive(io::Files& files, const Layout& layout, std::string_view file_name) {
  std::vector<std::string> places;
  for (const std::string& folder : archive_folders(files, layout)) {
    const std::string path = io::join_path(folder, file_name);
    places.push_back(path);
    places.push_back(path + kOpenSuffix);
  }
  places.push_back(io::join_path(layout.folder(), file_name));
  return places;
}

}  // namespace caddis::collection
