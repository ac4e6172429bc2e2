// The file in which a capture stands, opened for a reader.
#pragma once

#include <memory>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// As Collection::open_archive. A file that cannot be opened now, since it was moved, lost, or lies where nobody answers, is
// ErrorCode::io, in words for readers: no folder of this machine is named. The log has all, once for each file.
// A memento of another archive keeps the code of its error.
Result<std::unique_ptr<io::File>> open_for_reader(const Collection& collection, const cdx::Capture& capture);

// Whether the error says that it may be there again at another time.
constexpr bool is_for_now(const Error& error) {
  return error.code == ErrorCode::io || error.code == ErrorCode::timeout;
}

}  // namespace caddis::replay
