#include "caddis/io/file_owner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace caddis::io {

Result<void> make_for_owner_of(Files& files, const std::string& model, const std::string& path) {
  if (&files != &real_files() || ::geteuid() != 0) return {};
  struct stat owner;
  const std::string folder = parent_path(path);
  if (::stat(model.c_str(), &owner) != 0 && ::stat(folder.c_str(), &owner) != 0)
    return fail_errno("cannot examine " + folder, errno);
  // A file that this opens anew is ours to give away; one that is there may be a link to any other.
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return errno == EEXIST ? Result<void>() : fail_errno("cannot make " + path, errno);
  const int problem = ::fchown(fd, owner.st_uid, owner.st_gid) == 0 ? 0 : errno;
  ::close(fd);
  if (problem == 0) return {};
  ::unlink(path.c_str());
  return fail_errno(
      fmt::format("cannot give {} to user {} and group {}; do this as that user", path, owner.st_uid, owner.st_gid),
      problem);
}

}  // namespace caddis::io
