#include "caddis/io/byte_locks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

#include "caddis/io/files.h"

namespace caddis::io {
namespace {

constexpr size_t kFiles = 64;

struct flock byte_of(uint64_t number, short type) {
  struct flock byte{};
  byte.l_type = type;
  byte.l_whence = SEEK_SET;
  byte.l_start = static_cast<off_t>(number / kFiles % (std::numeric_limits<off_t>::max() - 1));
  byte.l_len = 1;
  return byte;
}

}  // namespace

Result<ByteLocks> ByteLocks::open(const std::string& folder) {
  TRY_VOID(real_files().make_dirs(folder));
  ByteLocks locks;
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string path = fmt::format("{}/{:02}", folder, i);
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return fail_errno("cannot open " + path, errno);
    locks.files_.push_back(file);
  }
  return locks;
}

ByteLocks::~ByteLocks() {
  for (const int file : files_) ::close(file);
}

bool ByteLocks::lock(uint64_t number, Kind kind) const {
  struct flock byte = byte_of(number, kind == Kind::exclusive ? F_WRLCK : F_RDLCK);
  return ::fcntl(files_[number % kFiles], F_OFD_SETLK, &byte) == 0;
}

void ByteLocks::unlock(uint64_t number) const {
  struct flock byte = byte_of(number, F_UNLCK);
  (void)::fcntl(files_[number % kFiles], F_OFD_SETLK, &byte);
}

bool ByteLocks::is_held_by_others(uint64_t number) const {
  struct flock byte = byte_of(number, F_WRLCK);
  return ::fcntl(files_[number % kFiles], F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
}

}  // namespace caddis::io
