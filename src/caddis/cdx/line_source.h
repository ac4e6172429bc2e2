// A sorted row of index lines, wherever it lies: a file (SortedFile) or memory (the journals of running crawls, the
// index of a single WARC). Not thread-safe; CaptureIndex locks.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/sorted_file.h"

namespace caddis::cdx {

// A place in the row. It stands on a line, or at the end.
class LineCursor {
 public:
  virtual ~LineCursor() = default;
  virtual bool at_end() const = 0;
  // Valid until the cursor moves.
  virtual std::string_view line() const = 0;
  virtual Result<void> next() = 0;
  // False where there is no line before; the cursor then stays.
  virtual Result<bool> previous() = 0;
};

class LineSource {
 public:
  virtual ~LineSource() = default;
  // A cursor on the first line not smaller than `key`; it must not outlive the source, nor an addition to it.
  virtual Result<std::unique_ptr<LineCursor>> seek(std::string_view key) = 0;
  virtual Result<Capture> parse(std::string_view line) const = 0;
};

class FileLines : public LineSource {
 public:
  explicit FileLines(std::unique_ptr<SortedFile> file) : file_(std::move(file)) {}
  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override;
  SortedFile& file() { return *file_; }

 private:
  std::unique_ptr<SortedFile> file_;
};

class MemoryLines : public LineSource {
 public:
  // Lines are kept for ever, identical ones once.
  void add(std::string_view line);
  void clear();
  size_t size() const { return lines_.size(); }
  size_t bytes() const { return bytes_; }
  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override;

 private:
  std::set<std::string, std::less<>> lines_;
  size_t bytes_ = 0;
};

}  // namespace caddis::cdx
