// How the records of a file are compressed: by its packing, and by whether it is to be small or written fast.
#pragma once

#include "caddis/warc/packer.h"
#include "caddis/warc/packing.h"

namespace caddis::archive {

constexpr warc::Compression compression_of(warc::Packing packing, bool is_small) {
  switch (packing) {
    case warc::Packing::plain:
      return warc::Compression::none;
    case warc::Packing::zstd:
      return is_small ? warc::Compression::zstd_small : warc::Compression::zstd_fast;
    case warc::Packing::gzip:
      break;
  }
  return is_small ? warc::Compression::small : warc::Compression::fast;
}

}  // namespace caddis::archive
