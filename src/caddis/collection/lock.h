// The lock of a collection: only one crawl at a time may run in it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::collection {

// `note` says who holds it. ErrorCode::conflict if somebody else does; the message holds that one's note.
Result<std::unique_ptr<io::FileLock>> lock_collection(io::Files& files, const std::string& collection,
                                                      std::string_view note);

}  // namespace caddis::collection
