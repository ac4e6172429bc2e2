// A file that somebody holds locked as long as they live. The lock is of the open file, not of a process: a child that
// inherits the descriptor keeps it, and whoever looks later sees by it whether that child still lives.
//
// Any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::io {

class HeldFile {
 public:
  // Makes the file if it is not there. ErrorCode::conflict if somebody holds it.
  static Result<HeldFile> open(const std::string& path);
  HeldFile(HeldFile&& other) noexcept;
  HeldFile(const HeldFile&) = delete;
  HeldFile& operator=(const HeldFile&) = delete;
  ~HeldFile();

  // To be handed to a child. It is closed when another program is begun in this process.
  int descriptor() const { return descriptor_; }
  // Replaces the text of the file.
  Result<void> write(std::string_view text) const;

 private:
  explicit HeldFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

// Whether anybody holds the file. False if there is none.
bool is_held(const std::string& path);

}  // namespace caddis::io
