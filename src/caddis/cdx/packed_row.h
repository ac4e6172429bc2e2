// A capture as a row of a store: a key that sorts as lines of an index do, and a short value. Grammar and bytes:
// docs/formats/capture-store.md. Everything here is pure.
//
// Captures of one key and second are told apart by where they lie, so none hides another. Names of files stand once in
// the store; rows have their numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"

namespace caddis::cdx {

// A longer key is refused: stores search by whole keys.
inline constexpr size_t kMaxRowKey = 64 * 1024;

// The numbers of the files that a capture names; 0 for none.
struct RowFiles {
  uint64_t file = 0, original = 0;
};

// ErrorCode::parse if the capture cannot be a row: its key has blanks, or its timestamp is none.
Result<void> check_row(const Capture& capture);
// For captures that `check_row` accepts.
void append_row_key(std::string& out, const Capture& capture, const RowFiles& files);
void append_row_value(std::string& out, const Capture& capture, const RowFiles& files);

// The place of the first row whose line is not smaller than `line`, or of an earlier row with the same key and time.
std::string row_place(std::string_view line);

// Sets all but the names of files. ErrorCode::corrupt if it is no row.
Result<RowFiles> decode_row(std::string_view key, std::string_view value, Capture& capture);

}  // namespace caddis::cdx
