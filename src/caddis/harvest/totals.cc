#include "caddis/harvest/totals.h"

#include <limits>
#include <string>

#include "caddis/harvest/definitions.h"

namespace caddis::harvest {

using sql::Row;
using sql::Values;

Result<std::vector<RunTotals>> runs_of(sql::Connection& c, std::string_view definition, std::optional<int64_t> before,
                                       int64_t limit) {
  TRY(const Definition one, find_definition(c, definition));
  std::vector<RunTotals> runs;
  TRY_VOID(
      c.each("SELECT run, count(*), sum(CASE WHEN state IN ('NEW', 'SUBMITTED', 'STARTED') THEN 1 ELSE 0 END), "
             "sum(CASE WHEN state IN ('FAILED', 'FAILED_REJECTED') THEN 1 ELSE 0 END), sum(objects), sum(bytes), "
             "min(created), min(started), max(ended) FROM jobs WHERE definition_id = ? AND run < ? "
             "GROUP BY run ORDER BY run DESC LIMIT ?",
             Values(one.id, before.value_or(std::numeric_limits<int64_t>::max()), limit), [&](const Row& row) {
               RunTotals& totals = runs.emplace_back();
               totals.run = row.number(0);
               totals.jobs = row.number(1);
               totals.open = row.number(2);
               totals.failed = row.number(3);
               totals.objects = row.number(4);
               totals.bytes = row.number(5);
               totals.created = row.number(6);
               totals.started = row.maybe_number(7);
               if (totals.open == 0) totals.ended = row.maybe_number(8);
             }));
  return runs;
}

Result<std::vector<ReasonTotals>> reasons_of(sql::Connection& c, std::string_view definition,
                                             std::optional<int64_t> run) {
  TRY(const Definition one, find_definition(c, definition));
  std::string sql = "SELECT stop_reason, count(*), sum(objects), sum(bytes) FROM results WHERE definition_id = ?";
  Values values(one.id);
  if (run) {
    sql += " AND run = ?";
    values.add(*run);
  }
  std::vector<ReasonTotals> reasons;
  TRY_VOID(c.each(sql + " GROUP BY stop_reason ORDER BY count(*) DESC, stop_reason", values, [&](const Row& row) {
    reasons.push_back(
        {reason_named(row.text(0)).value_or(StopReason::unfinished), row.number(1), row.number(2), row.number(3)});
  }));
  return reasons;
}

}  // namespace caddis::harvest
