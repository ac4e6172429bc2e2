// The bodies of requests to the engine's API, read from JSON. ErrorCode::parse says what is wrong: also a member that is
// not known. Pure functions.
#pragma once

#include <string_view>

#include "caddis/base/error.h"
#include "caddis/engine/jobs.h"

namespace caddis::engine {

Result<NewJob> read_new_job(std::string_view json);
// The order with the members that its action has in the body. An empty body says nothing.
Result<JobOrder> read_order(std::string_view json, JobOrder order);

}  // namespace caddis::engine
