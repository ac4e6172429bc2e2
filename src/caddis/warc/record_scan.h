// Finding the next sound record after damage. Internal to the reader; slow paths only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/warc/packing.h"
#include "caddis/warc/source.h"

namespace caddis::warc {

enum class Dialect { unknown, warc, arc };

// True where a record of the dialect (of any, if unknown) begins at the front of `bytes`. For ARC the whole first line
// must be there.
bool is_record_start(std::string_view bytes, Dialect dialect);
// A stricter test for places where a record is only hoped for: the whole header must make sense.
bool is_sound_record(std::string_view bytes, Dialect dialect);
// The first sound record in `bytes` at or after `from`.
std::optional<size_t> find_record(std::string_view bytes, size_t from, Dialect dialect);

// Headers longer than this are not recognized when looking for a record.
inline constexpr size_t kScanHeader = 16 * 1024;

// The offset of the first sound record of a plain file in [from, end).
Result<std::optional<uint64_t>> find_plain_record(const ByteSource& source, uint64_t from, uint64_t end,
                                                  Dialect dialect);
// The offset of the first gzip member or zstd frame at or after `from` that begins with a record.
Result<std::optional<uint64_t>> find_packed_record(const ByteSource& source, uint64_t from, Dialect dialect,
                                                   Packing packing, const io::ZstdDictionary* dictionary);

}  // namespace caddis::warc
