// Reads a recovery log line by line, as it was left behind by whatever happened: gzip or plain, cut anywhere, its last
// member or one in the middle damaged. What could be read is given; what could not is told.
//
//   TRY(auto reader, RecoveryReader::open(files, path));
//   while (…) { TRY(const std::string_view text, reader->next()); if (text.empty()) break; … whole lines … }
//
// Reads the disk: where blocking is allowed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/io/gzip.h"

namespace caddis::crawl {

class RecoveryReader {
 public:
  static Result<std::unique_ptr<RecoveryReader>> open(io::Files& files, const std::string& path);

  // The next whole lines with their line ends, at most about `kPiece` bytes, without a byte order mark; empty at the
  // end. Valid until the next call. A last line without line end is given one, and left out where the file ends within
  // a gzip member. A line of more than a piece is given in parts, which are too long to be anything.
  Result<std::string_view> next();
  // What was wrong with the file, for people.
  const std::vector<std::string>& flaws() const { return flaws_; }

 private:
  static constexpr size_t kPiece = 256 * 1024;
  static constexpr size_t kMostFlaws = 20;

  RecoveryReader(std::string path, std::unique_ptr<io::File> file) : path_(std::move(path)), file_(std::move(file)) {}
  Result<void> fill();
  Result<void> inflate();
  Result<void> skip_damage(const Error& error);
  void flaw(std::string text);

  std::string path_;
  std::unique_ptr<io::File> file_;
  bool is_gzip_ = false;
  io::GunzipStream gunzip_;
  uint64_t offset_ = 0;        // of what is read next
  uint64_t member_start_ = 0;  // of the present member
  std::string input_;          // read, not yet inflated; ends at offset_
  std::string text_;           // not yet given
  size_t given_ = 0;           // of text_, at the last call
  bool at_end_ = false;
  bool is_first_ = true;  // the piece that is next
  std::vector<std::string> flaws_;
};

}  // namespace caddis::crawl
