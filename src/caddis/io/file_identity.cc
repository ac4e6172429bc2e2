#include "caddis/io/file_identity.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace caddis::io {

std::string file_identity(Files& files, const std::string& path) {
  if (&files != &real_files()) return {};
  struct statx status{};
  if (::statx(AT_FDCWD, path.c_str(), AT_STATX_SYNC_AS_STAT, STATX_INO | STATX_BTIME, &status) != 0) return {};
  std::string identity = fmt::format("{}:{}", status.stx_dev_major, status.stx_dev_minor);
  if ((status.stx_mask & STATX_BTIME) != 0)
    identity += fmt::format(":{}:{}.{}", status.stx_ino, status.stx_btime.tv_sec, status.stx_btime.tv_nsec);
  return identity;
}

}  // namespace caddis::io
