// A file that is written in sections, each with its place, size and checksum.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/dedup/index_info.h"
#include "caddis/io/files.h"

namespace caddis::dedup {

// One thread.
class SectionOutput {
 public:
  explicit SectionOutput(std::unique_ptr<io::File> file) : file_(std::move(file)) {}

  void begin() { section_ = {offset_, 0, 0}; }
  Result<void> append(std::string_view bytes);
  Section end() const { return section_; }
  // Bytes appended since the file began.
  uint64_t offset() const { return offset_; }
  // All that was appended is on disk when it returns.
  Result<void> sync();

 private:
  Result<void> flush();

  std::unique_ptr<io::File> file_;
  std::string pending_;
  uint64_t offset_ = 0;
  Section section_;
};

}  // namespace caddis::dedup
