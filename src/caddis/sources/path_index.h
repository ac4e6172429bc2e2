// Records by a path index, as pywb and OpenWayback have it: a text file with a line for each archive file, sorted by their bytes:
// its name, and behind tabs one or several paths or addresses. It is searched by halving, so it may be of any size; a file that
// changes is opened anew.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "caddis/cdx/sorted_file.h"
#include "caddis/io/file_stamp.h"
#include "caddis/sources/record_source.h"
#include "caddis/sources/web_place.h"

namespace caddis::sources {

class PathIndex : public RecordSource {
 public:
  // `web` asks the addresses that the file names. ErrorCode::config if the file is not sorted.
  static Result<std::shared_ptr<PathIndex>> open(io::Files& files, std::string path, std::shared_ptr<WebPlace> web);
  Result<std::unique_ptr<io::File>> open(const cdx::Capture& capture) override;
  // Empty if the file does not name it.
  Result<std::vector<std::string>> places_of(std::string_view name);

 private:
  PathIndex(io::Files& files, std::string path, std::shared_ptr<WebPlace> web)
      : files_(files), path_(std::move(path)), web_(std::move(web)) {}
  Result<std::shared_ptr<cdx::SortedFile>> current();

  io::Files& files_;
  const std::string path_;
  const std::shared_ptr<WebPlace> web_;
  std::mutex mutex_;  // of what follows
  std::shared_ptr<cdx::SortedFile> file_;
  io::FileStamp stamp_;
};

}  // namespace caddis::sources
