// Originals as rows of a key-value store: a crawl keeps those that it has stored itself.
//
//   key    the raw digest; or, for look-ups by URL, the digest and 8 bytes, the hash of the URL or of its index key
//   value  8 bytes milliseconds since 1970, 16 bytes of the record id's UUID, the URL
//
// Rows are packed one behind the other: varint size of the key, key, varint size of the value, value.
// Numbers have their low byte first. Everything here is pure and may be called from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/original.h"

namespace caddis::dedup {

// The key under which that strategy finds a payload; `key`: of the collection's indexes. Returns nothing for a digest
// without a meaning.
std::optional<std::string> row_key(Strategy strategy, const Question& question,
                                   const IndexKey& key = standard_index_key());
// The record id must be a UUID ("<urn:uuid:…>").
std::string row_value(const Original& original);
// ErrorCode::corrupt if it is no such value.
Result<Original> read_row(std::string_view value);

// A row among others; borrows from them.
struct PackedRow {
  std::string_view key, value;
};
void pack_row(std::string& pack, std::string_view key, std::string_view value);
// The row that begins at `at`, which moves to its end. ErrorCode::corrupt if there is none.
Result<PackedRow> unpack_row(std::string_view pack, size_t& at);

}  // namespace caddis::dedup
