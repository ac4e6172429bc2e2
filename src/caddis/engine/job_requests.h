// The bodies of requests to the engine's API, read from JSON. ErrorCode::parse says what is wrong. Pure functions.
#pragma once

#include <string_view>

#include "caddis/base/error.h"
#include "caddis/engine/jobs.h"

namespace caddis::engine {

Result<NewJob> read_new_job(std::string_view json);
// The body of `copy` and `delete`, laid over the order. An empty one says nothing.
Result<void> read_order(std::string_view json, JobOrder& order);

}  // namespace caddis::engine
