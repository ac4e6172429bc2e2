// Gives responses their bodies: small ones at once, larger ones piece by piece as the client takes them
// (http::BodySource). What a HEAD asks for is not read.
//
// Errors, before anything is sent: ErrorCode::limit where too much is being decoded at the same time, others where a
// file cannot be read. A body that its archive has lost the end of is sent as far as it goes where it is small; else
// the connection is cut, so that the client knows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/replay/body.h"

namespace caddis::replay {

// `size` where it is known.
Result<void> put_body(const http::ServerRequest& request, std::unique_ptr<BodyReader> body,
                      std::optional<uint64_t> size, http::ServerResponse& response);
// The part that the request's Range asks for; all of it where the size is not known, and not soon found.
Result<void> put_range(const http::ServerRequest& request, std::unique_ptr<StoredBody> body,
                       http::ServerResponse& response);
// The same for a body whose size is known only once it has been read: ranges are for those that are not large.
Result<void> put_unmeasured(const http::ServerRequest& request, std::unique_ptr<BodyReader> body,
                            http::ServerResponse& response);

}  // namespace caddis::replay
