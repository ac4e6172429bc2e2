// Whole folders of files: copied, by hard links if that is safe, removed, moved. Checkpoints are made so.
//
// May be called from any thread; nobody else may be at work in the folders.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::collection {

// Makes `to` a durable copy of the file `from`. `link`: a second name for the same bytes, for files that never change
// (or of which only the present beginning counts); a copy all the same if the file system has no links.
Result<void> clone_file(io::Files& files, const std::string& from, const std::string& to, bool link);
// Makes the folder `to` a durable copy of the files in `from`; what an earlier attempt left in `to` is removed. Tables
// of the store and runs of the seen-set are linked: they never change.
Result<void> clone_folder(io::Files& files, const std::string& from, const std::string& to);
// Appends the first `length` bytes of `from` by calling `take` with pieces of them.
template <class Take>
Result<void> read_pieces(io::Files& files, const std::string& from, uint64_t length, const Take& take) {
  constexpr uint64_t kPiece = 1u << 20;
  TRY(const auto source, files.open_read(from));
  std::string piece;
  for (uint64_t at = 0; at < length; at += piece.size()) {
    piece.resize(static_cast<size_t>(length - at < kPiece ? length - at : kPiece));
    TRY(const size_t got, source->read_at(at, piece.data(), piece.size()));
    if (got != piece.size()) return fail(ErrorCode::corrupt, from + " is shorter than it was: is somebody at work?");
    TRY_VOID(take(std::string_view(piece)));
  }
  return {};
}
// Renames a file or a folder, durably.
Result<void> move_path(io::Files& files, const std::string& from, const std::string& to);
// Removes a folder with all that is in it; files that cannot be removed stay.
void remove_tree(io::Files& files, const std::string& folder);

}  // namespace caddis::collection
