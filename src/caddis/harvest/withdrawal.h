// Jobs that people put an end to. Those that are over before a harvester has taken them are withdrawn, one or all of a harvest. Their
// domains stay due: each gets a result without objects, so that the next step of a snapshot takes it.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/jobs.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

// Records the results of a job that was never begun. They teach nothing of how much its configurations bring.
Result<void> record_unbegun(sql::Connection& connection, const Job& job, int64_t now);
// A job that waits becomes FAILED_REJECTED. ErrorCode::conflict if a harvester has it, or it is over.
Result<void> withdraw_job(sql::Connection& connection, int64_t job, std::string_view why, const Edit& edit);
// The first `most` jobs of a harvest that wait; of one run, if it is named. Returns how many there were.
Result<int64_t> withdraw_jobs(sql::Connection& connection, std::string_view definition,
                              const std::optional<int64_t>& run, int64_t most, const Edit& edit);
// A job that has not ended has failed, whatever its harvester says. ErrorCode::conflict for others.
Result<void> fail_job(sql::Connection& connection, int64_t job, std::string_view why, const Edit& edit);
// A failure that is no business any more becomes FAILED_REJECTED. ErrorCode::conflict if it is none.
Result<void> reject_failure(sql::Connection& connection, int64_t job, std::string_view why, const Edit& edit);
// A failure that was not to be resubmitted may be so again: it becomes FAILED.
Result<void> reopen_failure(sql::Connection& connection, int64_t job, const Edit& edit);

}  // namespace caddis::harvest
