// Packs an archive file anew: gzip, zstd or plain, each record byte for byte as it was.
//
// Digests are verified on the way, and what was written is read back and compared before the file gets its name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/packer.h"

namespace caddis::warc {

struct RecompressOptions {
  Compression compression = Compression::fast;
  bool train_dictionary = false;  // for zstd: learned from the file's own records
  bool salvage = false;           // leave damaged records out, instead of failing
  unsigned threads = 1;
  // Told now and then: how much of the file has been read. May be empty.
  std::function<void(uint64_t done, uint64_t size)> progress = {};
};

struct RecompressReport {
  uint64_t records = 0;
  uint64_t left_out = 0;          // damaged ones
  bool is_damaged = false;        // something is wrong that was not mended: more than those may be missing
  uint64_t bytes = 0;             // of headers and blocks
  uint64_t digests = 0;           // verified
  uint64_t read = 0;              // bytes of the file
  uint64_t written = 0;           // bytes of the new one
  uint64_t dictionary = 0;        // bytes of it, unpacked; 0 without one
  std::vector<Finding> findings;  // errors, in the order of the file
};

// ErrorCode::corrupt if the file is damaged and `salvage` is not set, naming the place; ErrorCode::conflict if `to` is
// there. Nothing is left behind then.
Result<RecompressReport> recompress(io::Files& files, const std::string& from, const std::string& to,
                                    const RecompressOptions& options);

// A dictionary for the records of the file; empty if they are too few to learn from.
Result<std::string> train_dictionary(const io::File& file);

}  // namespace caddis::warc
