// A record as a file to be read, that stands in no file: its first bytes, and a body that is spooled.
//
// Any thread, and several at the same time, as long as nobody appends to the body.
#pragma once

#include <memory>
#include <string>

#include "caddis/io/files.h"
#include "caddis/io/spool.h"

namespace caddis::sources {

// It can only be read: ErrorCode::denied for whoever appends to it, or cuts it.
std::unique_ptr<io::File> record_file(std::string front, std::shared_ptr<const io::Spool> body);

}  // namespace caddis::sources
