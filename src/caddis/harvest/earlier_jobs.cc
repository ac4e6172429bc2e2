#include "caddis/harvest/earlier_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/harvest/copies.h"
#include "caddis/harvest/jobs.h"

namespace caddis::harvest {

using sql::Connection;
using sql::Values;

std::vector<int64_t> read_earlier_jobs(std::string_view text) {
  std::vector<int64_t> jobs;
  for (const std::string_view number : split(trim(text), ','))
    if (const auto job = parse_int(number)) jobs.push_back(*job);
  return jobs;
}

std::string earlier_jobs_text(const std::vector<int64_t>& jobs) {
  return jobs.empty() ? std::string() : fmt::format("{}\n", fmt::join(jobs, ","));
}

Result<std::vector<int64_t>> earlier_jobs(Connection& c, int64_t job) {
  const auto text = job_file(c, job, kEarlierJobs);
  if (text) return read_earlier_jobs(*text);
  if (text.error().code == ErrorCode::not_found) return std::vector<int64_t>();
  return std::unexpected(text.error());
}

Result<void> bear_earlier_trouble(Connection& c, int64_t job, const EarlierTrouble& trouble, const Edit& edit) {
  TRY(std::vector<int64_t> jobs, earlier_jobs(c, job));
  std::erase_if(jobs, [&](int64_t one) { return std::ranges::count(trouble.left_out, one) > 0; });
  TRY_VOID(c.execute("UPDATE job_files SET text = ? WHERE job_id = ? AND name = ?",
                     Values(earlier_jobs_text(jobs), job, kEarlierJobs)));
  for (const std::string& name : trouble.damaged) TRY_VOID(check_soon(c, kArchiveStore, name));
  return record_change(c, edit, "job", std::to_string(job), trouble.words);
}

}  // namespace caddis::harvest
