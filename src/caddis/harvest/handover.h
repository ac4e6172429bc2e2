// Jobs whose harvester was lost, and which another one may take over: nobody has them for a while, and their folders lie where
// others can reach them. A job that nobody takes in time has failed.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/jobs.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

// The job stays STARTED, and is nobody's; `left_by` is the harvester in whose folder it lies: the first that had it.
Result<void> leave_job(sql::Connection& connection, const Job& job, std::string_view why, const Edit& edit);
// The harvester works for its job, though it does not report on it: it is not lost.
Result<void> hear_of_work(sql::Connection& connection, std::string_view harvester, int64_t now);
// A job that another harvester has left in one of the channels becomes this one's; nothing if there is none.
Result<std::optional<Job>> take_over_job(sql::Connection& connection, std::string_view harvester,
                                         const std::vector<std::string>& channels, int64_t now);
// The harvester that has taken it over cannot go on with it now: somebody else may try. `why` is kept for the record.
Result<void> give_back_job(sql::Connection& connection, int64_t job, std::string_view harvester, std::string_view why,
                           int64_t now);

}  // namespace caddis::harvest
