// The lines of a text file, plain or gzip, one by one: indexes and logs, of any size.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/io/gzip.h"

namespace caddis::io {

// One thread.
class TextLines {
 public:
  static constexpr size_t kMaxLine = 4 << 20;

  static Result<std::unique_ptr<TextLines>> open(io::Files& files, const std::string& path);
  // The same of a file that is open already; `path` is for messages.
  static Result<std::unique_ptr<TextLines>> open(std::unique_ptr<io::File> file, const std::string& path);

  // The next line without its end, LF or CR LF, valid until the next call; nothing behind the last. A line longer than
  // kMaxLine, and damage in a gzip file, is ErrorCode::corrupt.
  Result<std::optional<std::string_view>> next();
  // The line that was given last had its line end. Whoever still writes the file may not have written all of another.
  bool was_whole() const { return was_whole_; }
  // From now on only LF ends a line: a CR before it is the line's own. For those who give lines back to the byte, or
  // count where they begin.
  void keep_returns() { keeps_returns_ = true; }
  // A plain file is read from here on; before the first line.
  void begin_at(uint64_t offset) { offset_ = offset; }
  bool is_gzip() const { return is_gzip_; }

 private:
  TextLines(std::string path, std::unique_ptr<io::File> file) : path_(std::move(path)), file_(std::move(file)) {}
  // More bytes behind `text_`; false at the end of the file.
  Result<bool> fill();
  Result<bool> read(std::string& into);

  std::string path_;
  std::unique_ptr<io::File> file_;
  uint64_t offset_ = 0;
  bool is_gzip_ = false, was_whole_ = true, keeps_returns_ = false;
  io::GunzipStream gunzip_;
  std::string compressed_;  // read and not yet inflated
  std::string text_;
  size_t used_ = 0;  // of text_
};

}  // namespace caddis::io
