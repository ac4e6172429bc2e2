// The central directory of a zip archive (APPNOTE 6.3.9, ZIP64 included): where in the file each entry lies, which libzip
// does not tell. What is stored without compression is read there, by ranges. Encrypted entries, archives in several
// files and entries outside the file are refused.
//
// Pure functions over a file, any thread. Bounded: kLargestDirectory of directory, which bounds the entries as well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::wacz {

inline constexpr uint64_t kLargestDirectory = 64 << 20;

struct PackedFile {
  std::string name;
  uint16_t method = 0;
  uint32_t crc = 0;
  uint64_t packed_size = 0, size = 0;
  uint64_t header = 0;  // offset of its local header
  uint64_t number = 0;  // in the directory

  bool is_stored() const { return method == 0; }
};

// ErrorCode::parse for what is no zip archive, corrupt for one that contradicts itself. Folders are left out; a name that
// is there twice, or leads out of a folder ("..", "/x"), is an error.
Result<std::vector<PackedFile>> read_zip_directory(const io::File& file);
// Where the bytes of the entry begin.
Result<uint64_t> data_offset(const io::File& file, const PackedFile& entry);

}  // namespace caddis::wacz
