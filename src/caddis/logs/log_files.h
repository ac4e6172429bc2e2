// The files of a log, in the order in which they were written: `crawl.log`, `crawl.log.2`, …, and any of them as gzip
// (`crawl.log.2.gz`), if somebody has packed it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::logs {

// Empty if there is none.
Result<std::vector<std::string>> files_of_log(io::Files& files, const std::string& path);

// Where the last `lines` lines of a plain file begin. A last line without end counts as one.
Result<uint64_t> begin_of_last_lines(io::Files& files, const std::string& path, uint64_t lines);

}  // namespace caddis::logs
