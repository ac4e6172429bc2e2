#include "caddis/harvest/withdrawal.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "caddis/harvest/definitions.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

}  // namespace

Result<void> record_unbegun(Connection& c, const Job& job, int64_t now) {
  if (job.care.patches) return {};  // its domains have results of the job that it patches
  return c.execute(
      "INSERT INTO results (job_id, definition_id, run, domain_id, configuration_id, objects, bytes, stop_reason, "
      "time) "
      "SELECT j.id, j.definition_id, j.run, m.domain_id, m.configuration_id, 0, 0, CAST(? AS TEXT), CAST(? AS BIGINT) "
      "FROM jobs j JOIN job_configurations m ON m.job_id = j.id WHERE j.id = ? ORDER BY m.configuration_id",
      Values(name_of(StopReason::time_limit), now, job.id));
}

Result<void> withdraw_job(Connection& c, int64_t id, std::string_view why, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  if (job.state != JobState::created)
    return fail(ErrorCode::conflict,
                fmt::format("job {} is {}: only a job that waits can be withdrawn", id, name_of(job.state)));
  return set_state(c, id, JobState::failed_rejected,
                   why.empty() ? "it was withdrawn" : fmt::format("it was withdrawn: {}", why), edit);
}

Result<int64_t> withdraw_jobs(Connection& c, std::string_view definition, const std::optional<int64_t>& run,
                              int64_t most, const Edit& edit) {
  TRY(const Definition one, find_definition(c, definition));
  Values values(name_of(JobState::created), one.id);
  if (run) values.add(*run);
  values.add(most);
  std::vector<int64_t> ids;
  TRY_VOID(c.each(fmt::format("SELECT id FROM jobs WHERE state = ? AND definition_id = ?{} ORDER BY id LIMIT ?",
                              run ? " AND run = ?" : ""),
                  values, [&](const Row& row) { ids.push_back(row.number(0)); }));
  for (const int64_t id : ids) TRY_VOID(withdraw_job(c, id, "", edit));
  return static_cast<int64_t>(ids.size());
}

Result<void> fail_job(Connection& c, int64_t id, std::string_view why, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  if (job.state >= JobState::done)
    return fail(ErrorCode::conflict,
                fmt::format("job {} is {}: only a job that has not ended can be made to fail", id, name_of(job.state)));
  return set_state(c, id, JobState::failed, why.empty() ? fmt::format("{} had it fail", edit.who) : std::string(why),
                   edit);
}

Result<void> reject_failure(Connection& c, int64_t id, std::string_view why, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  if (job.state != JobState::failed)
    return fail(ErrorCode::conflict, fmt::format("job {} is {}: only a job that has failed is a failure to be rejected",
                                                 id, name_of(job.state)));
  return set_state(c, id, JobState::failed_rejected, why, edit);
}

Result<void> reopen_failure(Connection& c, int64_t id, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  if (job.state != JobState::failed_rejected)
    return fail(ErrorCode::conflict, fmt::format("job {} is {}: only a failure that is not to be resubmitted can be "
                                                 "taken up again",
                                                 id, name_of(job.state)));
  return set_state(c, id, JobState::failed, "", edit);
}

}  // namespace caddis::harvest
