// The files of keys to log in by (`fetch.sftp-key`), of the settings and of their sheets.
//
// Any thread; blocks.
#pragma once

#include "caddis/base/error.h"

namespace caddis::config {
struct Settings;
}
namespace caddis::io {
class Files;
}

namespace caddis::crawl {

// ErrorCode::config names the first one that cannot be read.
Result<void> check_key_files(io::Files& files, const config::Settings& settings);

}  // namespace caddis::crawl
