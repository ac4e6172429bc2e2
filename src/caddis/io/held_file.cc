#include "caddis/io/held_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace caddis::io {
namespace {

struct flock whole_file() {
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return whole;
}

}  // namespace

Result<HeldFile> HeldFile::open(const std::string& path) {
  HeldFile held(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (held.descriptor_ < 0) return fail_errno("cannot open " + path, errno);
  struct flock whole = whole_file();
  if (::fcntl(held.descriptor_, F_OFD_SETLK, &whole) == 0) return held;
  if (errno == EAGAIN || errno == EACCES) return fail(ErrorCode::conflict, path + " is held by another process");
  return fail_errno("cannot lock " + path, errno);
}

HeldFile::HeldFile(HeldFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

HeldFile::~HeldFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> HeldFile::write(std::string_view text) const {
  const auto size = static_cast<ssize_t>(text.size());
  if (::pwrite(descriptor_, text.data(), text.size(), 0) != size || ::ftruncate(descriptor_, size) != 0)
    return fail_errno("cannot write to a file that is held", errno);
  return {};
}

bool is_held(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return false;
  struct flock whole = whole_file();
  const bool asked = ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0;
  ::close(descriptor);
  return asked && whole.l_type != F_UNLCK;
}

}  // namespace caddis::io
