// All captures of a collection, as its sorted indexes have them.
#pragma once

#include <functional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/io/files.h"

namespace caddis::dedup {

// Gives each line of `indexes/` that makes sense; ErrorCode::not_found where there is no index.
Result<void> each_capture(io::Files& files, const std::string& collection,
                          const std::function<Result<void>(const cdx::Capture& capture)>& use);

}  // namespace caddis::dedup
