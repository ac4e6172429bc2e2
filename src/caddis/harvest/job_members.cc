#include "caddis/harvest/job_members.h"

#include <algorithm>

#include "caddis/harvest/jobs.h"

namespace caddis::harvest {

Result<std::vector<JobMember>> members_of_job(sql::Connection& c, int64_t job, std::string_view after, int64_t limit) {
  TRY([[maybe_unused]] const Job known, find_job(c, job));
  const size_t border = std::min(after.find('/'), after.size());
  const std::string_view domain = after.substr(0, border);
  const std::string_view configuration = after.substr(std::min(border + 1, after.size()));
  std::vector<JobMember> members;
  TRY_VOID(c.each(
      "SELECT d.name, c.name, l.max_objects, l.max_bytes, l.expected, d.traps FROM job_configurations l "
      "JOIN configurations c ON c.id = l.configuration_id JOIN domains d ON d.id = l.domain_id "
      "WHERE l.job_id = ? AND (d.name > ? OR (d.name = ? AND c.name > ?)) ORDER BY d.name, c.name LIMIT ?",
      sql::Values(job, domain, domain, configuration, limit), [&](const sql::Row& row) {
        members.push_back({row.text(0), row.text(1), {row.number(2), row.number(3)}, row.number(4), row.text(5)});
      }));
  return members;
}

}  // namespace caddis::harvest
