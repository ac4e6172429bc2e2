// Writes a zip archive (APPNOTE 6.3.9) whose entries are stored as they are, so that each can be read by ranges: what WACZ
// asks for. ZIP64 where sizes ask for it. The archive has its name only when it is whole: until then it is `<path>.tmp`.
//
// One thread. Memory: the directory, and a piece.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::wacz {

class ZipWriter {
 public:
  // ErrorCode::conflict if the path is taken.
  static Result<std::unique_ptr<ZipWriter>> create(io::Files& files, const std::string& path, WallTime now);
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;
  // Removes what was not finished.
  ~ZipWriter();

  struct Written {
    std::string sha256;  // raw
    uint64_t size = 0;
  };
  // ErrorCode::conflict if the file changes while it is read.
  Result<Written> add_file(const std::string& name, const io::File& file);
  Result<Written> add(const std::string& name, std::string_view bytes);
  // Durable when it returns.
  Result<void> finish();

 private:
  struct Entry {
    std::string name;
    uint32_t crc = 0;
    uint64_t size = 0, header = 0;
  };
  ZipWriter(io::Files& files, std::string path, std::unique_ptr<io::File> file, WallTime now);
  Result<void> begin(const std::string& name, uint32_t crc, uint64_t size);
  Result<void> append(std::string_view bytes);
  std::string directory() const;

  io::Files& files_;
  const std::string path_;
  std::unique_ptr<io::File> file_;  // until it is finished
  uint16_t date_ = 0, time_ = 0;    // as MS-DOS has them
  uint64_t at_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace caddis::wacz
