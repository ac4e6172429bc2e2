// A zip archive, read by libzip: from a file or from memory. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

struct zip;
struct zip_error;
struct zip_source;

namespace caddis::io {

struct ZipEntry {
  std::string name;            // in UTF-8
  bool was_converted = false;  // it was not in UTF-8, and was read as code page 437
  bool is_folder = false, is_link = false, is_encrypted = false;
};

class ZipReader {
 public:
  // ErrorCode::parse if it is no zip archive. The file must outlive it.
  static Result<ZipReader> open(const File& file);
  // The same of bytes in memory, which must outlive it.
  static Result<ZipReader> open(std::string_view bytes);

  uint64_t entries() const;
  Result<ZipEntry> entry(uint64_t number) const;
  // Gives the bytes of an entry, and how many they were. ErrorCode::limit, if it has more than `most`; corrupt, if its
  // checksum does not hold, or it is longer or shorter than the archive says.
  using Sink = std::function<Result<void>(std::string_view piece)>;
  Result<uint64_t> read(uint64_t number, uint64_t most, const Sink& sink) const;

 private:
  struct Source;
  struct Close {
    void operator()(zip* archive) const;
  };

  ZipReader(std::unique_ptr<Source> source, zip* archive);
  static Result<ZipReader> open_source(std::unique_ptr<Source> source, zip_source* input, zip_error* error);

  std::shared_ptr<Source> source_;
  std::unique_ptr<zip, Close> archive_;
};

}  // namespace caddis::io
