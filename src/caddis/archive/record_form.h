// The form in which a writer wants its records.
#pragma once

#include <cstdint>

#include "caddis/io/digest.h"
#include "caddis/io/zstd.h"
#include "caddis/warc/packer.h"

namespace caddis::archive {

enum class WarcVersion : uint8_t {
  v1_1,  // ISO 28500:2017
  v1_0,  // ISO 28500:2009: dates to the second, profiles of revisits by its names
};

// Borrowed for the call.
struct RecordForm {
  warc::Compression compression = warc::Compression::fast;
  WarcVersion version = WarcVersion::v1_1;
  io::DigestAlgorithm digest = io::DigestAlgorithm::sha1;  // of blocks that are made here
  const io::ZstdDictionary* dictionary = nullptr;          // of the file, for zstd alone
};

}  // namespace caddis::archive
