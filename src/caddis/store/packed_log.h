// A closed file of a log as gzip, `path.gz` in the place of `path` (docs/formats/streams.md). Each member holds some of
// its text, up to the end of a line, and says in its header how long it is, packed and not: whoever looks for a place
// goes from one to the next. An empty member is the last, and says how much there is of both: a file without it, or
// with another length, is not whole.
//
// Private to store.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::store {

inline std::string packed_path(const std::string& path) { return path + ".gz"; }
// The file while it is being packed or unpacked; nobody needs it after a death.
inline std::string packing_path(const std::string& path) { return path + ".gz.open"; }

// The length of the file that was packed into `packed`. Nothing if that is not whole.
Result<std::optional<uint64_t>> length_of_packed(io::Files& files, const std::string& packed);

// Writes `path` anew from its packed form; durable when it returns. The packed form stays.
Result<void> unpack_log(io::Files& files, const std::string& path);

// Packs one file, piece by piece.
class LogPacker {
 public:
  // The first `length` bytes of the file at `path`, which is not written to any more.
  LogPacker(io::Files& files, std::string path, uint64_t length)
      : files_(files), path_(std::move(path)), length_(length) {}
  const std::string& path() const { return path_; }
  // Packs about `bytes` more. Returns true when all is packed, durable under its name; the file itself is still there.
  Result<bool> step(uint64_t bytes);

 private:
  Result<void> begin();
  Result<void> pack_member();
  Result<void> finish();

  io::Files& files_;
  const std::string path_;
  const uint64_t length_;
  std::unique_ptr<io::File> from_, to_;
  uint64_t read_ = 0, written_ = 0;
  std::string text_, member_;
};

}  // namespace caddis::store
