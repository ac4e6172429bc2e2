// Samples of how a job went, a minute each, for curves: those of its whole time, thinned if there are many.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

struct Sample {
  int64_t time = 0;
  std::string json;
};
// The latest first; the latest of each of `most` spans of equal length, and of what is left of another one.
Result<std::vector<Sample>> progress_of(sql::Connection& connection, int64_t job, int64_t most);

}  // namespace caddis::harvest
