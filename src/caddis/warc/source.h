// Random access to the bytes of an archive file, wherever they lie. Readers jump: after damage they go back and look
// for the next sound record.
#pragma once

#include <cstdint>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::warc {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `size` bytes at `offset`; fewer only at the end, 0 at or behind it.
  virtual Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const = 0;
  virtual Result<uint64_t> size() const = 0;
};

// An open file, which must outlive the source.
class FileSource : public ByteSource {
 public:
  explicit FileSource(const io::File& file) : file_(file) {}
  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    return file_.read_at(offset, buffer, size);
  }
  Result<uint64_t> size() const override { return file_.size(); }

 private:
  const io::File& file_;
};

// Bytes in memory, which must outlive the source.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    return offset >= bytes_.size() ? 0 : bytes_.substr(offset).copy(buffer, size);
  }
  Result<uint64_t> size() const override { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

}  // namespace caddis::warc
