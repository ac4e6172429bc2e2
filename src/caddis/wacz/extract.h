// Unpacks a package into a folder, as a collection that can be served, crawled into and packed again: archive/, pages/,
// the index as a text (indexes/index.cdxj), title and description in metadata.yaml. One thread.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::wacz {

struct ExtractReport {
  uint64_t files = 0, bytes = 0;
};

// ErrorCode::conflict if the folder has something in it. An entry whose checksum does not hold is an error; what was
// unpacked before stays.
Result<ExtractReport> extract_package(io::Files& files, const std::string& path, const std::string& folder);

}  // namespace caddis::wacz
