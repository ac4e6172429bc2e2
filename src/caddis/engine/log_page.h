// Lines of a log, a page at a time, forwards or backwards, also those alone that a pattern finds. Work is bounded: a
// page may end before it is full, and says where to go on.
//
// Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::engine {

struct LogQuery {
  std::string regex;             // RE2, found anywhere in a line; empty: every line
  bool reverse = false;          // the latest line first
  size_t limit = 100;            // lines
  std::optional<uint64_t> from;  // a byte of the file, as `next` of a page; without it the begin, or the end
};

struct LogPage {
  std::vector<std::string> lines;
  std::optional<uint64_t> next;  // nothing: no line is left
};

// ErrorCode::parse for a pattern that is none.
Result<LogPage> read_log_page(io::Files& files, const std::string& path, const LogQuery& query);

}  // namespace caddis::engine
