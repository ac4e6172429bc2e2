// The owner of a file that root makes for a server of another user.
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::io {

// If this process is root's and `path` is not there: makes it, empty and with mode 600, for the owner and group of
// `model`, or if that is not there either, of the folder. Otherwise it does nothing: what others make is theirs.
Result<void> make_for_owner_of(Files& files, const std::string& model, const std::string& path);

}  // namespace caddis::io
