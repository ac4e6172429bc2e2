// Files of the operating system (POSIX, Linux).
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "caddis/io/files.h"
#include "caddis/io/stream.h"

namespace caddis::io {

namespace {

std::unexpected<Error> fail_at(std::string_view what, const std::string& path, int error_number) {
  auto failed = fail_errno("cannot " + std::string(what) + " " + path, error_number);
  if (failed.error().code == ErrorCode::no_space) failed.error().message += " (make room on its disk, then go on)";
  if (failed.error().code == ErrorCode::limit)
    failed.error().message += " (this process may not make larger ones: raise the limit, ulimit -f, then go on)";
  return failed;
}

// An owned file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

Result<Descriptor> open_descriptor(const std::string& path, int flags, std::string_view what, mode_t mode = 0644) {
  while (true) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
    if (fd >= 0) return Descriptor(fd);
    if (errno != EINTR) return fail_at(what, path, errno);
  }
}

Result<void> write_all(int fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return fail_at("write to", path, errno);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

class RealFile : public File {
 public:
  RealFile(std::string path, Descriptor fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    size_t filled = 0;
    while (filled < size) {
      const ssize_t got = ::pread(fd_.get(), buffer + filled, size - filled, static_cast<off_t>(offset + filled));
      if (got == 0) break;
      if (got < 0) {
        if (errno == EINTR) continue;
        return fail_at("read", path_, errno);
      }
      filled += static_cast<size_t>(got);
    }
    return filled;
  }

  Result<bool> read_at_once(uint64_t offset, char* buffer, size_t size) const override {
    iovec whole{buffer, size};
    const ssize_t got = ::preadv2(fd_.get(), &whole, 1, static_cast<off_t>(offset), RWF_NOWAIT);
    if (got == static_cast<ssize_t>(size)) return true;
    if (got < 0 && errno != EAGAIN && errno != EINTR && errno != EOPNOTSUPP) return fail_at("read", path_, errno);
    ::posix_fadvise(fd_.get(), static_cast<off_t>(offset), static_cast<off_t>(size), POSIX_FADV_WILLNEED);
    return false;
  }

  Result<void> append(std::string_view bytes) override { return write_all(fd_.get(), path_, bytes); }

  Result<void> sync() override {
    if (sync_failed_) {
      return fail(ErrorCode::io, "cannot sync " + path_ + ": an earlier sync of it failed, its last bytes may be lost");
    }
    if (::fdatasync(fd_.get()) == 0) return {};
    // The kernel drops what it could not write and reports it once: another attempt would "succeed" without the bytes.
    sync_failed_ = true;
    return fail_at("sync", path_, errno);
  }

  void forget_cached(uint64_t begin, uint64_t end) override {
    // Whole pages: the last one is written to next.
    constexpr uint64_t kPage = 4096;
    begin -= begin % kPage;
    end -= end % kPage;
    if (begin < end)
      ::posix_fadvise(fd_.get(), static_cast<off_t>(begin), static_cast<off_t>(end - begin), POSIX_FADV_DONTNEED);
  }

  Result<void> truncate(uint64_t size) override {
    while (::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0) {
      if (errno != EINTR) return fail_at("cut", path_, errno);
    }
    return {};
  }

  Result<uint64_t> size() const override {
    struct stat status;
    if (::fstat(fd_.get(), &status) != 0) return fail_at("examine", path_, errno);
    return static_cast<uint64_t>(status.st_size);
  }

 private:
  std::string path_;
  Descriptor fd_;
  bool sync_failed_ = false;
};

class RealLock : public FileLock {
 public:
  explicit RealLock(Descriptor fd) : fd_(std::move(fd)) {}

 private:
  Descriptor fd_;  // closing it releases the lock
};

std::string read_note(int fd) {
  char note[256];
  const ssize_t got = ::pread(fd, note, sizeof note, 0);
  return got > 0 ? std::string(note, static_cast<size_t>(got)) : std::string("an unknown process");
}

// Whether `path` is still the name of the open file.
bool is_named(int fd, const std::string& path) {
  struct stat open, named;
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// "a//b/./c/" is "a/b/c".
std::string normal(std::string_view path) {
  std::string text = std::filesystem::path(path).lexically_normal().native();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

// Everything of it that is there; links are left alone. The error of the first that could not be, when all were tried.
Result<void> close_to_others(const std::string& path, const std::vector<DirectoryEntry>& below) {
  constexpr mode_t kOthers = 077;
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) return {};  // removed meanwhile
  if (S_ISLNK(status.st_mode)) return {};
  Result<void> first;
  if ((status.st_mode & kOthers) != 0 && ::chmod(path.c_str(), status.st_mode & 07777 & ~kOthers) != 0)
    first = fail_at("keep from other users", path, errno);
  for (const DirectoryEntry& entry : below) {
    if (entry.is_link) continue;
    const std::string inner = join_path(path, entry.name);
    const auto entries = entry.is_directory ? real_files().list(inner) : Result<std::vector<DirectoryEntry>>();
    const auto closed = close_to_others(inner, entries.value_or(std::vector<DirectoryEntry>()));
    if (first && !closed) first = closed;
  }
  return first;
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

// What is read at any place, and ends: a pipe without a writer would hold us up for ever, a device may have no end.
Result<Descriptor> open_regular(const std::string& path) {
  // Without waiting, which a regular file makes nobody do, save for one with a lease (fcntl(2)) that is being broken.
  int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0 && errno != EWOULDBLOCK && errno != EINTR && errno != ENXIO) return fail_at("open", path, errno);
  struct stat status{};
  if (fd >= 0) {
    Descriptor opened(fd);
    if (::fstat(fd, &status) != 0) return fail_at("examine", path, errno);
    if (S_ISREG(status.st_mode)) return opened;
  } else if (::stat(path.c_str(), &status) != 0) {
    return fail_at("open", path, errno);
  } else if (S_ISREG(status.st_mode)) {
    return open_descriptor(path, O_RDONLY, "open");
  }
  return fail(ErrorCode::unsupported,
              fmt::format("{} is {}, not a file: only regular files are read here", path, kind_of(status.st_mode)));
}

class RealFiles : public Files {
 public:
  Result<std::unique_ptr<File>> open_read(const std::string& path) override {
    TRY(Descriptor fd, open_regular(path));
    return std::make_unique<RealFile>(path, std::move(fd));
  }

  Result<std::unique_ptr<File>> open_read_foreign(const std::string& path) override {
    auto fd = open_descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, "open");
    struct stat status;
    if (!fd && ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode))
      return fail(ErrorCode::unsupported, path + " is a symbolic link, and none is followed here: put the file itself");
    if (!fd) return std::unexpected(std::move(fd).error());
    if (::fstat(fd->get(), &status) != 0) return fail_at("examine", path, errno);
    if (!S_ISREG(status.st_mode)) return fail(ErrorCode::unsupported, path + " is no file that holds bytes");
    return std::make_unique<RealFile>(path, *std::move(fd));
  }

  Result<std::unique_ptr<File>> open_append(const std::string& path) override {
    const mode_t mode = is_private(path) ? 0600 : 0644;
    TRY(Descriptor fd, open_descriptor(path, O_RDWR | O_APPEND | O_CREAT, "open for writing", mode));
    return std::make_unique<RealFile>(path, std::move(fd));
  }

  Result<std::unique_ptr<File>> open_append_private(const std::string& path) override {
    TRY(Descriptor fd, open_descriptor(path, O_RDWR | O_APPEND | O_CREAT, "open for writing", 0600));
    return std::make_unique<RealFile>(path, std::move(fd));
  }

  Result<void> keep_private(const std::string& folder) override {
    {
      const std::scoped_lock lock(mutex_);
      private_.insert(normal(folder));
    }
    if (!is_directory(folder)) return close_to_others(folder, {});
    TRY(const auto entries, list(folder));
    return close_to_others(folder, entries);
  }

  Result<void> make_dirs(const std::string& path) override {
    if (is_directory(path)) return {};
    const std::string parent = parent_path(path);
    if (parent != path) TRY_VOID(make_dirs(parent));
    if (::mkdir(path.c_str(), is_private(path) ? 0700 : 0755) != 0) {
      if (errno == EEXIST && is_directory(path)) return {};  // another process was quicker
      return fail_at("make folder", path, errno);
    }
    return sync_dir(parent);
  }

  Result<void> sync_dir(const std::string& path) override {
    TRY(const Descriptor fd, open_descriptor(path, O_RDONLY | O_DIRECTORY, "open folder"));
    if (::fsync(fd.get()) != 0) return fail_at("sync folder", path, errno);
    return {};
  }

  Result<std::vector<DirectoryEntry>> list(const std::string& path) override {
    TRY(const Descriptor fd, open_descriptor(path, O_RDONLY | O_DIRECTORY, "list folder"));
    const std::unique_ptr<DIR, int (*)(DIR*)> dir(::fdopendir(::dup(fd.get())), ::closedir);
    if (!dir) return fail_at("list folder", path, errno);
    std::vector<DirectoryEntry> entries;
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(dir.get());
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      struct stat status;
      if (::fstatat(fd.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) status = {};  // removed meanwhile
      const bool is_link = S_ISLNK(status.st_mode);
      if (is_link && ::fstatat(fd.get(), entry->d_name, &status, 0) != 0) status = {};  // dangling
      const bool is_directory = S_ISDIR(status.st_mode);
      const uint64_t size = is_directory ? 0 : static_cast<uint64_t>(status.st_size);
      entries.push_back({std::string(name), is_directory, size, is_link});
    }
    if (errno != 0) return fail_at("list folder", path, errno);
    std::ranges::sort(entries, {}, &DirectoryEntry::name);
    return entries;
  }

  Result<void> rename(const std::string& from, const std::string& to) override {
    if (std::rename(from.c_str(), to.c_str()) != 0) return fail_at("rename", from + " to " + to, errno);
    return {};
  }

  Result<void> link(const std::string& from, const std::string& to) override {
    if (::link(from.c_str(), to.c_str()) != 0) return fail_at("link", from + " as " + to, errno);
    return {};
  }

  Result<void> remove(const std::string& path) override {
    if (std::remove(path.c_str()) != 0) return fail_at("remove", path, errno);
    return {};
  }

  bool exists(const std::string& path) override { return ::access(path.c_str(), F_OK) == 0; }

  bool is_directory(const std::string& path) override {
    struct stat status;
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  }

  Result<uint64_t> free_space(const std::string& path) override {
    std::string existing = path;
    while (!exists(existing) && existing != "." && existing != "/") existing = parent_path(existing);
    struct statvfs status;
    if (::statvfs(existing.c_str(), &status) != 0) return fail_at("ask for the free space of", existing, errno);
    return static_cast<uint64_t>(status.f_bavail) * status.f_frsize;
  }

  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note) override {
    std::optional<Descriptor> fd;
    do {
      const mode_t mode = is_private(path) ? 0600 : 0644;
      TRY(Descriptor opened, open_descriptor(path, O_RDWR | O_CREAT, "open lock file", mode));
      TRY_VOID(lock_descriptor(opened.get(), path));
      fd.emplace(std::move(opened));
    } while (!is_named(fd->get(), path));  // its last holder may have removed the file meanwhile
    if (::ftruncate(fd->get(), 0) != 0) return fail_at("cut", path, errno);
    (void)write_all(fd->get(), path, note);  // for people: a full disk keeps nobody from the lock
    return std::make_unique<RealLock>(*std::move(fd));
  }

 private:
  bool is_private(std::string_view given) const {
    const std::string path = normal(given);
    const std::scoped_lock lock(mutex_);
    return std::ranges::any_of(private_, [&](const std::string& folder) {
      return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
    });
  }

  static Result<void> lock_descriptor(int fd, const std::string& path) {
    // A lock of the open file description, not of the process: it also holds against this process, and no other close
    // in it can drop the lock.
    struct flock whole{};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (::fcntl(fd, F_OFD_SETLK, &whole) == 0) return {};
    if (errno != EAGAIN && errno != EACCES) return fail_at("lock", path, errno);
    return fail(ErrorCode::conflict,
                path + " is locked by " + read_note(fd) + "; stop it first, or wait until it ends");
  }

  mutable std::mutex mutex_;
  std::set<std::string> private_;  // folders
};

class RealStream final : public InputStream {
 public:
  RealStream(std::string path, std::optional<Descriptor> own) : path_(std::move(path)), own_(std::move(own)) {}

  Result<std::string> read() override {
    constexpr size_t kStep = 256 * 1024;
    std::string bytes(kStep, '\0');
    for (;;) {
      const ssize_t got = ::read(own_ ? own_->get() : STDIN_FILENO, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return fail_at("read", path_ == "-" ? "standard input" : path_, errno);
      bytes.resize(static_cast<size_t>(got));
      return bytes;
    }
  }

 private:
  const std::string path_;
  const std::optional<Descriptor> own_;
};

}  // namespace

Result<std::unique_ptr<InputStream>> InputStream::open(const std::string& path) {
  if (path == "-") return std::make_unique<RealStream>(path, std::nullopt);
  TRY(Descriptor opened, open_descriptor(path, O_RDONLY | O_NOCTTY, "open"));
  return std::make_unique<RealStream>(path, std::move(opened));
}

Files& real_files() {
  static RealFiles files;
  return files;
}

}  // namespace caddis::io
