#include "caddis/logs/log_files.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::logs {
namespace {

constexpr std::string_view kGzip = ".gz";
constexpr uint64_t kBlock = 256 << 10;

// 1 for "crawl.log", 2 for "crawl.log.2" and "crawl.log.2.gz"; 0 for a file that is no part of the log `base`.
int64_t number_of(std::string_view name, std::string_view base) {
  if (!name.starts_with(base)) return 0;
  name.remove_prefix(base.size());
  if (name.ends_with(kGzip)) name.remove_suffix(kGzip.size());
  if (name.empty()) return 1;
  if (!name.starts_with('.')) return 0;
  const auto number = parse_int(name.substr(1));
  return number && *number > 1 ? *number : 0;
}

}  // namespace

Result<std::vector<std::string>> files_of_log(io::Files& files, const std::string& path) {
  const std::string folder = io::parent_path(path);
  std::vector<std::pair<int64_t, std::string>> found;
  if (!files.is_directory(folder)) return std::vector<std::string>();
  TRY(const auto entries, files.list(folder));
  for (const auto& entry : entries) {
    const int64_t number = entry.is_directory ? 0 : number_of(entry.name, io::base_name(path));
    if (number > 0) found.emplace_back(number, entry.name);
  }
  std::ranges::sort(found);
  std::vector<std::string> paths;
  for (size_t i = 0; i < found.size(); ++i) {
    // While a file is packed, the plain one is there, too: it is whole.
    if (i > 0 && found[i].first == found[i - 1].first) continue;
    paths.push_back(io::join_path(folder, found[i].second));
  }
  return paths;
}

Result<uint64_t> begin_of_last_lines(io::Files& files, const std::string& path, uint64_t lines) {
  TRY(const auto file, files.open_read(path));
  TRY(uint64_t end, file->size());
  if (lines == 0) return end;
  uint64_t wanted = lines;
  bool is_last_byte = true;
  std::string block;
  while (end > 0) {
    const uint64_t begin = end > kBlock ? end - kBlock : 0;
    block.resize(end - begin);
    TRY(const size_t got, file->read_at(begin, block.data(), block.size()));
    for (size_t i = std::min(got, block.size()); i-- > 0; is_last_byte = false) {
      if (block[i] != '\n' || is_last_byte) continue;  // the end of the last line begins no other
      if (--wanted == 0) return begin + i + 1;
    }
    end = begin;
  }
  return 0;
}

}  // namespace caddis::logs
