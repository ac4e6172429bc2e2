#include "caddis/io/beneath.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

namespace caddis::io {
namespace {

constexpr int kLook = O_PATH | O_NOFOLLOW | O_CLOEXEC;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

std::unexpected<Error> refused(std::string why) { return fail(ErrorCode::config, std::move(why)); }

std::unexpected<Error> failed_to(std::string_view what, int error_number) {
  auto failed = fail_errno(what, error_number);
  const bool is_no_path = error_number == ENOTDIR || error_number == ELOOP || error_number == ENAMETOOLONG;
  if (is_no_path) failed.error().code = ErrorCode::not_found;
  if (error_number == EACCES || error_number == EPERM) failed.error().code = ErrorCode::denied;
  return failed;
}

// The whole path without links and dots.
Result<std::string> real(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> found(::realpath(path.c_str(), nullptr), std::free);
  if (!found) return failed_to("cannot find " + path, errno);
  return std::string(found.get());
}

std::string_view without_slash(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// "a/b" of "/srv/a/b" in "/srv"; empty for the folder itself, nothing if it is not in it.
std::optional<std::string_view> below(std::string_view folder, std::string_view path) {
  folder = without_slash(folder);
  path = without_slash(path);
  if (folder == "/") return path.substr(1);
  if (!path.starts_with(folder)) return std::nullopt;
  path.remove_prefix(folder.size());
  if (!path.empty() && path.front() != '/') return std::nullopt;
  return path.substr(path.empty() ? 0 : 1);
}

WallTime time_of(const timespec& at) {
  return WallTime(std::chrono::duration_cast<WallTime::duration>(std::chrono::seconds(at.tv_sec) +
                                                                 std::chrono::nanoseconds(at.tv_nsec)));
}

constexpr int64_t kNanos = 1'000'000'000;

Result<FoundBeneath::Facts> facts_of(int fd) {
  struct stat found{};
  if (::fstat(fd, &found) != 0) return failed_to("cannot look at it", errno);
  if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
    return fail(ErrorCode::unsupported, "it is neither a file nor a folder, but a device, a pipe or a socket");
  return FoundBeneath::Facts{S_ISDIR(found.st_mode), static_cast<uint64_t>(found.st_size), time_of(found.st_mtim),
                             found.st_ctim.tv_sec * kNanos + found.st_ctim.tv_nsec};
}

}  // namespace

// From a folder to what lies in it.
class BeneathWalk {
 public:
  // `names` are a path without links from `folder` on, which has none either.
  static Result<FoundBeneath> open(const std::string& folder, std::string_view names) {
    Descriptor at(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (at.get() < 0) return failed_to("cannot open " + folder, errno);
    while (!names.empty()) {
      const size_t slash = std::min(names.find('/'), names.size());
      const std::string name(names.substr(0, slash));
      names.remove_prefix(std::min(slash + 1, names.size()));
      if (name.empty()) continue;
      const bool is_last = names.empty();
      at = Descriptor(::openat(at.get(), name.c_str(), kLook | (is_last ? 0 : O_DIRECTORY)));
      if (at.get() < 0) return failed_to("cannot open it", errno);
    }
    return reopened(at);
  }

 private:
  // To be read: only now that it is known to be no device, which opening might set in motion.
  static Result<FoundBeneath> reopened(const Descriptor& found) {
    struct stat kind{};
    if (::fstat(found.get(), &kind) != 0) return failed_to("cannot look at it", errno);
    if (S_ISLNK(kind.st_mode)) return refused("a link was put into the way while it was opened");
    TRY_VOID(facts_of(found.get()));
    const std::string own = fmt::format("/proc/self/fd/{}", found.get());
    Descriptor readable(::open(own.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (readable.get() < 0) return failed_to("cannot read it", errno);
    TRY(const FoundBeneath::Facts facts, facts_of(readable.get()));
    return FoundBeneath(readable.release(), facts);
  }
};

FoundBeneath::FoundBeneath(FoundBeneath&& other) noexcept : fd_(std::exchange(other.fd_, -1)), facts_(other.facts_) {}

FoundBeneath::~FoundBeneath() {
  if (fd_ >= 0) ::close(fd_);
}

Result<FoundBeneath::Facts> FoundBeneath::facts_now() const { return facts_of(fd_); }

Result<size_t> FoundBeneath::read_at(uint64_t offset, char* buffer, size_t size) const {
  while (true) {
    const ssize_t got = ::pread(fd_, buffer, size, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) return failed_to("cannot read it", errno);
  }
}

Result<std::vector<std::string>> FoundBeneath::names(size_t most) const {
  // A descriptor of its own: the directory stream closes it.
  Descriptor own(::openat(fd_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (own.get() < 0) return failed_to("cannot read the folder", errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(own.get()), ::closedir);
  if (folder == nullptr) return failed_to("cannot read the folder", errno);
  own.release();
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(folder.get());
    if (entry == nullptr && errno != 0) return failed_to("cannot read the folder", errno);
    if (entry == nullptr) break;
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() >= most) return fail(ErrorCode::limit, fmt::format("more than {} names are in the folder", most));
    names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

Result<FoundBeneath::Name> FoundBeneath::look_at(const std::string& name) const {
  struct stat found{};
  if (::fstatat(fd_, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return failed_to("cannot look at it", errno);
  Name made;
  made.kind = S_ISREG(found.st_mode)   ? Kind::file
              : S_ISDIR(found.st_mode) ? Kind::folder
              : S_ISLNK(found.st_mode) ? Kind::link
                                       : Kind::special;
  made.size = static_cast<uint64_t>(found.st_size);
  made.modified = time_of(found.st_mtim);
  return made;
}

const std::string* folder_of(const std::vector<std::string>& folders, std::string_view path) {
  const std::string* longest = nullptr;
  for (const std::string& folder : folders)
    if (below(folder, path) && (longest == nullptr || folder.size() > longest->size())) longest = &folder;
  return longest;
}

Result<FoundBeneath> open_beneath(const std::vector<std::string>& folders, const std::string& path) {
  const std::string* const folder = folder_of(folders, path);
  if (folder == nullptr) return refused("it lies in none of the folders");
  TRY(const std::string real_folder, real(*folder));
  TRY(const std::string there, real(path));
  const auto names = below(real_folder, there);
  if (!names) return refused("a link leads out of the folder");
  // A link to a folder above itself would make endless paths.
  const std::string_view plain = without_slash(path);
  const size_t slash = plain.rfind('/');
  if (plain != without_slash(*folder) && slash != plain.npos) {
    TRY(const std::string around, real(slash == 0 ? "/" : std::string(plain.substr(0, slash))));
    if (below(there, around)) return refused("a link leads back into a folder above it");
  }
  return BeneathWalk::open(real_folder, *names);
}

}  // namespace caddis::io
