#include "default_collection.h"

#include <fmt/format.h>

#include <filesystem>

#include "caddis/config/seeds.h"

namespace caddis::cli {
namespace {

std::string host_of_first(const std::vector<std::string>& seeds) {
  for (const std::string& seed : seeds)
    if (const auto url = config::parse_seed(seed)) return std::string(url->hostname());
  return {};
}

// A crawl may make its folders there: nothing that others have put into a folder is mixed with an archive.
bool is_free(const std::string& folder) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(folder, error);
  if (status.type() == std::filesystem::file_type::not_found) return true;
  return std::filesystem::is_directory(folder, error) &&
         (std::filesystem::is_empty(folder, error) || std::filesystem::is_directory(folder + "/crawls", error));
}

}  // namespace

Result<std::string> default_collection(const std::vector<std::string>& seeds) {
  std::string folder = host_of_first(seeds);
  if (folder.empty()) return fail(ErrorCode::config, "say where the archive is to be: --collection FOLDER");
  folder = "./" + folder;
  if (!is_free(folder))
    return fail(ErrorCode::config, fmt::format("the archive would be in {}, but that is there already, and is no "
                                               "collection: say where it is to be (--collection FOLDER)",
                                               folder));
  return folder;
}

}  // namespace caddis::cli
