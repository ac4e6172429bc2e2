#include "caddis/harvest/progress.h"

namespace caddis::harvest {

using sql::Connection;
using sql::Row;
using sql::Values;

Result<std::vector<Sample>> progress_of(Connection& c, int64_t job, int64_t most) {
  TRY(const int64_t whole,
      c.number("SELECT coalesce(max(time) - min(time), 0) FROM progress WHERE job_id = ?", Values(job)));
  const int64_t span = whole / most + 1;
  std::vector<Sample> samples;
  TRY_VOID(
      c.each("SELECT p.time, p.sample FROM (SELECT max(time) AS time FROM progress WHERE job_id = ? "
             "GROUP BY time / CAST(? AS BIGINT)) q JOIN progress p ON p.job_id = ? AND p.time = q.time "
             "ORDER BY p.time DESC",
             Values(job, span, job), [&](const Row& row) { samples.push_back({row.number(0), row.text(1)}); }));
  return samples;
}

}  // namespace caddis::harvest
