#include "caddis/sources/folder_records.h"

namespace caddis::sources {

FolderRecords::FolderRecords(io::Files& files, std::string folder)
    : files_(files), places_([folder = std::move(folder)](std::string_view name) {
        return std::vector<std::string>(1, io::join_path(folder, name));
      }) {}

Result<std::unique_ptr<io::File>> FolderRecords::open(const cdx::Capture& capture) {
  TRY_VOID(check_file_name(capture.filename));
  const std::vector<std::string> places = places_(capture.filename);
  for (const std::string& path : places)
    if (files_.exists(path)) return files_.open_read(path);
  return fail(ErrorCode::not_found, (places.empty() ? capture.filename : places.front()) +
                                        ": the index names this archive file, but it is not there");
}

}  // namespace caddis::sources
