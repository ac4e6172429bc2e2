#include "caddis/logs/log_files.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/io/gzip.h"
#include "caddis/io/text_lines.h"

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

namespace {

Result<OpenLogFile> opened_file(const std::string& path, std::unique_ptr<io::File> file) {
  char front[4];
  TRY(const size_t got, file->read_at(0, front, sizeof front));
  const bool is_packed = got == sizeof front && io::looks_like_gzip(std::string_view(front, got));
  return OpenLogFile{path, std::move(file), is_packed};
}

}  // namespace

Result<OpenLogFile> open_log_file(io::Files& files, const std::string& path) {
  auto file = files.open_read(path);
  if (file) return opened_file(path, *std::move(file));
  if (file.error().code != ErrorCode::not_found || path.ends_with(kGzip))
    return std::unexpected(std::move(file).error());
  const std::string packed = path + std::string(kGzip);
  if (!files.exists(packed)) return std::unexpected(std::move(file).error());
  TRY(auto second, files.open_read(packed));
  return opened_file(packed, std::move(second));
}

namespace {

// Where the last `wanted` lines begin, which is made as many as there are not. 0 wanted: at the end.
Result<uint64_t> begin_in_plain(const io::File& file, uint64_t& wanted) {
  TRY(uint64_t end, file.size());
  if (wanted == 0 || end == 0) return end;
  bool is_last_byte = true;
  std::string block;
  while (end > 0) {
    const uint64_t begin = end > kBlock ? end - kBlock : 0;
    block.resize(end - begin);
    TRY(const size_t got, file.read_at(begin, block.data(), block.size()));
    for (size_t i = std::min(got, block.size()); i-- > 0; is_last_byte = false) {
      if (block[i] != '\n' || is_last_byte) continue;  // the end of the last line begins no other
      if (--wanted == 0) return begin + i + 1;
    }
    end = begin;
  }
  --wanted;  // the first line, which has no end before it
  return 0;
}

// The same in a packed file.
Result<uint64_t> begin_in_packed(io::TextLines& lines, uint64_t& wanted) {
  lines.keep_returns();
  std::deque<uint64_t> begins;
  uint64_t at = 0;
  for (;;) {
    TRY(const auto line, lines.next());
    if (!line) break;
    begins.push_back(at);
    if (begins.size() > wanted) begins.pop_front();
    at += line->size() + 1;
  }
  wanted -= begins.size();
  return begins.empty() ? at : begins.front();
}

}  // namespace

Result<uint64_t> begin_of_last_lines(io::Files& files, const std::string& path, uint64_t lines) {
  TRY(const auto file, files.open_read(path));
  return begin_in_plain(*file, lines);
}

Result<LogPlace> begin_of_last_lines(io::Files& files, const std::vector<std::string>& paths, uint64_t lines) {
  LogPlace place{paths.size(), 0};
  while (place.file > 0) {
    TRY(auto opened, open_log_file(files, paths[--place.file]));
    if (opened.is_packed) {
      TRY(const auto packed, io::TextLines::open(std::move(opened.file), opened.path));
      TRY(place.offset, begin_in_packed(*packed, lines));
    } else {
      TRY(place.offset, begin_in_plain(*opened.file, lines));
    }
    if (lines == 0) break;
  }
  return place;
}

}  // namespace caddis::logs
