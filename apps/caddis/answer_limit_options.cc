#include "answer_limit_options.h"

#include <CLI/CLI.hpp>

#include "caddis/base/time_format.h"

namespace caddis::cli {

void add_answer_limit_options(CLI::App& command, AnswerLimitOptions& options) {
  command
      .add_option("--time-limit", options.time,
                  "Work for one answer about captures, waiting for the client not counted; 0s: any")
      ->capture_default_str();
  command.add_option("--size-limit", options.size, "Bytes of one answer about captures; 0: any number")
      ->capture_default_str();
}

Result<cdxserver::AnswerLimits> answer_limits(const AnswerLimitOptions& options) {
  cdxserver::AnswerLimits limits;
  auto time = parse_duration(options.time);
  if (!time) return pass(std::move(time).error(), "--time-limit");
  limits.time = *time;
  auto bytes = parse_size(options.size);
  if (!bytes) return pass(std::move(bytes).error(), "--size-limit");
  limits.bytes = static_cast<uint64_t>(*bytes);
  return limits;
}

}  // namespace caddis::cli
