// A sorted text file of index lines, searched by halving: only the blocks a search touches are read, and those at the
// top of the search stay in a small cache.
//
// Lines are ordered by their bytes (LC_ALL=C). Any thread; the disk is read without a lock. A file replaced on disk
// goes on being read as it was when it was opened.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::cdx {

class SortedFile {
 public:
  // `header` of the file (a first line that begins with ' ', as CDX has) is read at once.
  static Result<std::unique_ptr<SortedFile>> open(io::Files& files, const std::string& path);

  // The offset of the first line that is not smaller than `key`; the file's size where there is none.
  Result<uint64_t> lower_bound(std::string_view key);
  // Reads the line at `offset` (the beginning of a line) without its line end, and gives the offset of the next. At the
  // end of the file: `line` is empty and the offset is the size.
  Result<uint64_t> read_line(uint64_t offset, std::string& line);
  // The beginning of the line before the one that begins at `offset`; nothing before the first line.
  Result<uint64_t> line_before(uint64_t offset);

  // ErrorCode::corrupt where lines do not ascend: searches would miss what is there. Looks at the beginning of the file
  // and at places all over it, so that it takes milliseconds whatever the size.
  Result<void> check_order();

  uint64_t size() const { return size_; }
  uint64_t begin() const { return begin_; }
  const std::string& header() const { return header_; }
  const std::string& path() const { return path_; }

 private:
  static constexpr size_t kBlock = 8192;
  static constexpr size_t kCachedBlocks = 256;
  using Block = std::shared_ptr<const std::string>;
  struct Slot {
    uint64_t number = UINT64_MAX;
    Block bytes;
  };

  SortedFile() = default;
  Result<Block> block(uint64_t number);
  std::unexpected<Error> disorder(uint64_t offset) const;
  Result<uint64_t> line_start_from(uint64_t offset);

  std::unique_ptr<io::File> file_;
  std::string path_;
  std::string header_;
  uint64_t size_ = 0;
  uint64_t begin_ = 0;  // behind the header
  std::mutex mutex_;    // of cache_
  std::vector<Slot> cache_;
};

}  // namespace caddis::cdx
