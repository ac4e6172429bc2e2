#include "caddis/io/disk_size.h"

#include <sys/statvfs.h>

#include <cerrno>

namespace caddis::io {

Result<DiskSize> disk_size(const std::string& path) {
  struct statvfs status;
  if (::statvfs(path.c_str(), &status) != 0) return fail_errno("cannot ask for the size of the disk of " + path, errno);
  return DiskSize{static_cast<uint64_t>(status.f_blocks) * status.f_frsize,
                  static_cast<uint64_t>(status.f_bavail) * status.f_frsize};
}

}  // namespace caddis::io
