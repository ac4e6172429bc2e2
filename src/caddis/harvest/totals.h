// Sums of what a harvest has brought: by run, and by the reasons for which domains stopped.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/outcome.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

struct RunTotals {
  int64_t run = 0;
  int64_t jobs = 0, open = 0, failed = 0;  // open: that wait or run
  int64_t objects = 0, bytes = 0;          // of jobs that have ended
  int64_t created = 0;                     // when its first job was made
  std::optional<int64_t> started;          // the first of them
  std::optional<int64_t> ended;            // the last of them; nothing while one is open
};
// Runs that have jobs, the latest first, below `before`. ErrorCode::not_found if there is no such harvest.
Result<std::vector<RunTotals>> runs_of(sql::Connection& connection, std::string_view definition,
                                       std::optional<int64_t> before, int64_t limit);

struct ReasonTotals {
  StopReason reason = StopReason::completed;
  int64_t results = 0, objects = 0, bytes = 0;
};
// By the results of a run, or of all; the reason with most of them first.
Result<std::vector<ReasonTotals>> reasons_of(sql::Connection& connection, std::string_view definition,
                                             std::optional<int64_t> run);

}  // namespace caddis::harvest
