// The identity of a file or folder of the operating system: two that had the same name, one after the other, are told apart
// by it, also where the second one took the number of the first.
#pragma once

#include <string>

#include "caddis/io/files.h"

namespace caddis::io {

// The device, the number and the time at which it was made; links are followed. The device alone where the file system does
// not know that time (NFSv3, FUSE): the numbers there may change while a file stays. Empty if it cannot be examined, and for
// files that are not the operating system's. Any thread.
std::string file_identity(Files& files, const std::string& path);

}  // namespace caddis::io
