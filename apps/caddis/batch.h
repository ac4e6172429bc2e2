// Batch mode (the fixed interface of the line-oriented sub-commands): one item a line on standard input, exactly one
// line out for each, in order, flushed whenever input pauses. A bad item answers for itself and never ends the batch.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::cli {

// What is said of a bad item.
enum class BadItem {
  json,  // {"error":…}
  dash,  // "-"
};

// Reads standard input to its end; `answer` gives the output line (without line end) for an input line.
// Output is written in large pieces, and flushed before every read that would block. A line of more than 64 MB is a bad
// item.
void run_batch(BadItem bad, const std::function<Result<std::string>(std::string_view line)>& answer);

// {"error":"<message>"}
std::string error_line(std::string_view message);

}  // namespace caddis::cli
