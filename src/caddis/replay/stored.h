// What the archive holds for a capture: its HTTP head and body, revisits resolved.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/http/head.h"
#include "caddis/replay/body.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

struct Stored {
  cdx::Capture capture;                    // as found in the index
  std::optional<http::ResponseHead> head;  // none for records that are no HTTP responses
  std::string content_type;                // of the head, or of the record
  std::unique_ptr<StoredBody> body;        // not read yet

  std::string content_coding() const { return head ? head->joined("content-encoding") : std::string(); }
  int status() const { return head ? head->status() : 200; }
};

// Reads the record of a capture up to its body. For a revisit the body is that of the capture it refers to: by
// Refers-To-Target-URI and -Date, else an earlier, else any capture of the same URL with the same digest; in its own
// collection, else in another one of `served`. A revisit of a revisit is followed.
// ErrorCode::corrupt where the place holds another URL's record, not_found where an original is missing, and io where a file
// cannot be opened now (archive_file.h).
Result<Stored> read_stored(Collection& collection, const cdx::Capture& capture,
                           std::span<const std::shared_ptr<Collection>> served);

}  // namespace caddis::replay
