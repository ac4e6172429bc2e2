// What the archive holds for a capture: its HTTP head and body, revisits resolved.
#pragma once

#include <optional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/http/head.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// Larger bodies are not replayed (ErrorCode::limit).
inline constexpr uint64_t kMaxBody = 1u << 30;

struct Stored {
  cdx::Capture capture;                    // as found in the index
  std::optional<http::ResponseHead> head;  // none for records that are no HTTP responses
  std::string content_type;                // of the head, or of the record
  std::string body;                        // without transfer coding; content coding as captured
  bool complete = true;

  int status() const { return head ? head->status() : 200; }
};

// Reads the record of a capture. For a revisit the body is that of the capture it refers to: by Refers-To-Target-URI
// and -Date, else an earlier, else any capture of the same URL with the same digest. ErrorCode::corrupt where the place
// holds another URL's record, not_found where a file or an original is missing.
Result<Stored> read_stored(Collection& collection, const cdx::Capture& capture);

// The body without content coding, at most `limit` bytes; what could be decoded of a damaged one.
std::string decoded_body(const Stored& stored, size_t limit);

}  // namespace caddis::replay
