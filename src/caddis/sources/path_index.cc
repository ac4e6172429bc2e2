#include "caddis/sources/path_index.h"

#include "caddis/base/strings.h"

namespace caddis::sources {
namespace {

bool is_address(std::string_view place) { return place.starts_with("http://") || place.starts_with("https://"); }

}  // namespace

Result<std::shared_ptr<PathIndex>> PathIndex::open(io::Files& files, std::string path, std::shared_ptr<WebPlace> web) {
  auto index = std::shared_ptr<PathIndex>(new PathIndex(files, std::move(path), std::move(web)));
  TRY_VOID(index->current());
  return index;
}

Result<std::shared_ptr<cdx::SortedFile>> PathIndex::current() {
  TRY(const io::FileStamp stamp, io::stamp_of(files_, path_));
  const std::scoped_lock lock(mutex_);
  if (file_ != nullptr && stamp == stamp_) return file_;
  TRY(std::shared_ptr<cdx::SortedFile> opened, cdx::SortedFile::open(files_, path_));
  if (!opened->check_order())
    return fail(
        ErrorCode::config,
        path_ + ": the path index is not sorted, so files would not be found in it: sort it with LC_ALL=C sort");
  file_ = std::move(opened);
  stamp_ = stamp;
  return file_;
}

Result<std::vector<std::string>> PathIndex::places_of(std::string_view name) {
  TRY(const auto file, current());
  const std::string key = std::string(name) + '\t';
  std::vector<std::string> places;
  TRY(uint64_t at, file->lower_bound(key));
  for (std::string line; at < file->size();) {
    TRY(at, file->read_line(at, line));
    if (!line.starts_with(key)) break;
    for (const std::string_view place : split(std::string_view(line).substr(key.size()), '\t'))
      if (const std::string_view trimmed = trim(place); !trimmed.empty()) places.emplace_back(trimmed);
  }
  return places;
}

Result<std::unique_ptr<io::File>> PathIndex::open(const cdx::Capture& capture) {
  TRY(const auto places, places_of(capture.filename));
  std::string told;
  for (const std::string& place : places) {
    auto file = [&]() -> Result<std::unique_ptr<io::File>> {
      if (is_address(place))
        return open_web_file(web_, place, capture.offset_number().value_or(0), capture.length_number());
      return files_.open_read(place.starts_with('/') ? place : io::join_path(io::parent_path(path_), place));
    }();
    if (file) return file;
    told += (told.empty() ? "" : "; ") + file.error().message;
  }
  return fail(ErrorCode::not_found,
              path_ + ": " + (places.empty() ? "the path index does not name " + capture.filename : told));
}

}  // namespace caddis::sources
