// Size and time of a file, by which somebody who made something of it tells later whether it is still the same.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::io {

struct FileStamp {
  uint64_t size = 0;
  WallTime modified;  // the epoch for files that are not the operating system's

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

Result<FileStamp> stamp_of(Files& files, const std::string& path);

}  // namespace caddis::io
