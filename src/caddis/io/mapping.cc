#include "caddis/io/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <utility>

namespace caddis::io {
namespace {

class ReadBytes : public Mapping {
 public:
  explicit ReadBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string_view bytes() const override { return bytes_; }

 private:
  const std::string bytes_;
};

class MappedBytes : public Mapping {
 public:
  MappedBytes(void* begin, size_t size) : begin_(begin), size_(size) {}
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;
  ~MappedBytes() override { ::munmap(begin_, size_); }
  std::string_view bytes() const override { return {static_cast<const char*>(begin_), size_}; }

 private:
  void* begin_;
  size_t size_;
};

Result<std::unique_ptr<Mapping>> map_descriptor(int fd, const std::string& path) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return fail_errno("cannot examine " + path, errno);
  if (!S_ISREG(status.st_mode))
    return fail(ErrorCode::unsupported, path + " is not a file: only regular files are read here");
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) return std::make_unique<ReadBytes>(std::string());
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  if (begin == MAP_FAILED) return fail_errno("cannot map " + path, errno);
  return std::make_unique<MappedBytes>(begin, size);
}

}  // namespace

Result<std::unique_ptr<Mapping>> map_file(Files& files, const std::string& path) {
  if (&files != &real_files()) {
    TRY(std::string bytes, files.read_all(path, std::numeric_limits<uint64_t>::max()));
    return std::make_unique<ReadBytes>(std::move(bytes));
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return fail_errno("cannot open " + path, errno);
  auto mapped = map_descriptor(fd, path);
  ::close(fd);
  return mapped;
}

}  // namespace caddis::io
