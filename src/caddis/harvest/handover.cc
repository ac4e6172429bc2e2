#include "caddis/harvest/handover.h"

#include <fmt/format.h>

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Values;

// Between two attempts: whoever holds the files may be about to let them go.
constexpr int64_t kPause = 10;

}  // namespace

Result<void> leave_job(Connection& c, const Job& job, std::string_view why, const Edit& edit) {
  // The folder is that of the harvester which had the job first, whoever took it over since.
  TRY_VOID(c.execute(
      "UPDATE jobs SET harvester = '', left_by = CASE WHEN left_by = '' THEN ? ELSE left_by END, left_at = ?, "
      "left_why = ?, heard = ?, had_by = ? WHERE id = ?",
      Values(job.harvester, edit.now, why, edit.now - kPause, job.harvester, job.id)));
  return record_change(c, edit, "job", std::to_string(job.id), fmt::format("waits for another harvester: {}", why));
}

Result<void> hear_of_work(Connection& c, std::string_view harvester, int64_t now) {
  TRY_VOID(see_harvester(c, harvester, now));
  return c.execute("UPDATE jobs SET heard = ? WHERE harvester = ? AND state IN (?, ?)",
                   Values(now, harvester, name_of(JobState::submitted), name_of(JobState::started)));
}

Result<std::optional<Job>> take_over_job(Connection& c, std::string_view harvester,
                                         const std::vector<std::string>& channels, int64_t now) {
  if (channels.empty()) return std::optional<Job>();
  Values values(name_of(JobState::started), now - kPause);
  for (const std::string& channel : channels) values.add(channel);
  TRY(const int64_t id,
      c.number(fmt::format("SELECT coalesce(min(j.id), 0) FROM jobs j JOIN channels h ON h.id = j.channel_id "
                           "WHERE j.state = ? AND j.harvester = '' AND j.left_by <> '' AND j.heard <= ? "
                           "AND h.name IN ({})",
                           question_marks(channels.size())),
               values));
  if (id == 0) return std::optional<Job>();
  TRY(const uint64_t taken,
      c.run("UPDATE jobs SET harvester = ?, heard = ? WHERE id = ? AND harvester = ''", Values(harvester, now, id)));
  if (taken == 0) return fail(ErrorCode::timeout, "the job was taken by another harvester");
  TRY_VOID(record_change(c, {std::string(harvester), now}, "job", std::to_string(id), "taken over"));
  TRY(Job job, find_job(c, id));
  return std::optional<Job>(std::move(job));
}

Result<void> give_back_job(Connection& c, int64_t id, std::string_view harvester, std::string_view why, int64_t now) {
  TRY(const Job job, find_job(c, id));
  if (job.harvester != harvester || job.state != JobState::started || job.care.left_by.empty())
    return fail(ErrorCode::conflict, fmt::format("job {} was not taken over by {}", id, harvester));
  return c.execute("UPDATE jobs SET harvester = '', heard = ?, left_why = ? WHERE id = ?", Values(now, why, id));
}

}  // namespace caddis::harvest
