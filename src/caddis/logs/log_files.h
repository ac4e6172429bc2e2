// The files of a log, in the order in which they were written: `crawl.log`, `crawl.log.2`, …, and any of them as gzip
// (`crawl.log.2.gz`), if somebody has packed it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::logs {

// Empty if there is none.
Result<std::vector<std::string>> files_of_log(io::Files& files, const std::string& path);

// A file of a log, which may have been packed since it was listed.
struct OpenLogFile {
  std::string path;  // the one that was asked for, or that and ".gz"
  std::unique_ptr<io::File> file;
  bool is_packed = false;  // it is gzip, under whatever name
};
// ErrorCode::not_found if neither is there.
Result<OpenLogFile> open_log_file(io::Files& files, const std::string& path);

// Where the last `lines` lines of a plain file begin. A last line without end counts as one.
Result<uint64_t> begin_of_last_lines(io::Files& files, const std::string& path, uint64_t lines);

// A place in the files of a log: in which of them, and the byte of its text.
struct LogPlace {
  size_t file = 0;
  uint64_t offset = 0;
};
// Where the last `lines` lines of a log begin, whose files these are, oldest first. The begin of all if it has fewer.
// Files are looked at from the last one, as many as have to be; packed ones are read whole.
Result<LogPlace> begin_of_last_lines(io::Files& files, const std::vector<std::string>& paths, uint64_t lines);

}  // namespace caddis::logs
