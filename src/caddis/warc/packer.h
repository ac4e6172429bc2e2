// Packs the bytes of a record into what a file holds of it: a gzip member, a zstd frame, or the bytes themselves.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "caddis/io/gzip.h"
#include "caddis/io/zstd.h"
#include "caddis/warc/packing.h"

namespace caddis::warc {

enum class Compression {
  none,
  fast,        // as io::GzipEffort::fast: lanes are busy
  small,       // as io::GzipEffort::small: lanes are idle
  cheapest,    // as io::GzipEffort::cheapest: the body is compressed already
  fields,      // as io::GzipEffort::fields: requests, metadata
  zstd_fast,   // as io::ZstdEffort::fast
  zstd_small,  // as io::ZstdEffort::small
};

Packing packing_of(Compression compression);

// Appends one unit over the concatenation of `parts`. Only zstd frames use a dictionary.
void append_unit(std::string& out, std::span<const std::string_view> parts, Compression compression,
                 const io::ZstdDictionary* dictionary = nullptr);

// The same piece by piece, for records that lie in a file.
class UnitStream {
 public:
  // Exactly `size` bytes will be written. The dictionary must outlive the stream.
  UnitStream(Compression compression, uint64_t size, const io::ZstdDictionary* dictionary = nullptr);
  // Appends to `out` what packed bytes are ready.
  void write(std::string_view bytes, std::string& out);
  void finish(std::string& out);

 private:
  std::unique_ptr<io::GzipStream> gzip_;
  std::unique_ptr<io::ZstdStream> zstd_;
};

}  // namespace caddis::warc
