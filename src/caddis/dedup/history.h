// The captures of a URL, as far as a server can be asked whether it has changed since (RFC 9110, section 13).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/dedup/original.h"

namespace caddis::dedup {

// A capture of a URL that holds its payload, with what the server called that state of it.
struct StoredCapture {
  Original original;   // its etag or last_modified is there
  std::string digest;  // labelled, of the payload
  std::string mime;    // without parameters
  std::string path;    // of the archive file
  uint64_t offset = 0;
};

// Any thread; it reads the archive.
class History {
 public:
  virtual ~History() = default;
  // The latest capture of exactly this URL that can be asked about. Returns nothing if there is none.
  virtual Result<std::optional<StoredCapture>> latest(std::string_view url) const = 0;
  // The response of that capture as it was received, or its first `limit` bytes.
  virtual Result<std::string> response(const StoredCapture& capture, uint64_t limit) const = 0;
};

}  // namespace caddis::dedup
