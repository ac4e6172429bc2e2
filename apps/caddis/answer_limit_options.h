// The options by which one answer about captures is bounded: `caddis serve` and `caddis index serve` share them.
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/cdxserver/query_answer.h"

namespace CLI {
class App;
}

namespace caddis::cli {

struct AnswerLimitOptions {
  std::string time = "60s", size = "2GB";
};
// Adds --time-limit and --size-limit.
void add_answer_limit_options(CLI::App& command, AnswerLimitOptions& options);

// ErrorCode::config or parse for what is no time or size.
Result<cdxserver::AnswerLimits> answer_limits(const AnswerLimitOptions& options);

}  // namespace caddis::cli
