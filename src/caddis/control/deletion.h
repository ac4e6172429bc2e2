// Deletes what waits in a running crawl, or counts it first, part by part, as the control API does it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "caddis/base/error.h"

namespace caddis::control {

// Asks for the part at a marker; the body of the answer. ErrorCode::conflict if the marker no longer holds.
using AskPart = std::function<Result<std::string>(const std::string& marker)>;

// Returns how many URLs were deleted. If a marker no longer holds it begins again, as long as it deletes something.
Result<uint64_t> delete_in_parts(const AskPart& ask);
// Returns how many would be deleted. If a marker no longer holds it counts anew, a few times.
Result<uint64_t> count_in_parts(const AskPart& ask);

}  // namespace caddis::control
