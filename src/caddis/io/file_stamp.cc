#include "caddis/io/file_stamp.h"

#include <sys/stat.h>

#include <cerrno>
#include <chrono>

namespace caddis::io {

Result<FileStamp> stamp_of(Files& files, const std::string& path) {
  if (&files != &real_files()) {
    TRY(const auto file, files.open_read(path));
    TRY(const uint64_t size, file->size());
    return FileStamp{size, WallTime()};
  }
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return fail_errno("cannot examine " + path, errno);
  const auto since = std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  return FileStamp{static_cast<uint64_t>(status.st_size),
                   WallTime(std::chrono::duration_cast<std::chrono::microseconds>(since))};
}

}  // namespace caddis::io
