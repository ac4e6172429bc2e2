#include "caddis/harvest/dates.h"

#include <string>
#include <vector>

#include "caddis/harvest/plans.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

Moment moment_of(int64_t seconds) { return Moment(std::chrono::seconds(seconds)); }

// Tells when the jobs of the last run at a date were made; nothing if there were none.
Result<std::optional<Moment>> last_run(Connection& c, const Definition& one) {
  TRY(const int64_t made, c.number("SELECT coalesce(min(created), 0) FROM jobs WHERE definition_id = ? AND run = "
                                   "(SELECT dated_run FROM definitions WHERE id = ?)",
                                   Values(one.id, one.id)));
  return made > 0 ? std::optional(moment_of(made)) : std::nullopt;
}

}  // namespace

Result<int64_t> dates_had(Connection& c, const Definition& one) {
  return c.number("SELECT runs - extra_runs FROM definitions WHERE id = ?", Values(one.id));
}

Result<std::optional<int64_t>> date_of(Connection& c, const Definition& one, const Schedule& schedule, int64_t now) {
  TRY(const auto last, last_run(c, one));
  TRY(const int64_t dates, dates_had(c, one));
  TRY(const auto first, first_run_behind(schedule, last, dates, moment_of(now)));
  return first ? std::optional<int64_t>(first->time_since_epoch().count()) : std::nullopt;
}

Result<void> move_date(Connection& c, std::string_view name, const Edit& edit) {
  TRY(const Definition one, find_definition(c, name));
  TRY(const int64_t is_being_made,
      c.number("SELECT count(*) FROM definitions WHERE id = ? AND (generating_after > 0 OR generating_until > ?)",
               Values(one.id, edit.now)));
  if (!one.next_run || is_being_made > 0) return {};
  TRY(const NamedSchedule schedule, find_schedule(c, one.schedule));
  TRY(const auto date, date_of(c, one, schedule.schedule, edit.now));
  TRY_VOID(c.execute("UPDATE definitions SET next_run = ?, waits = '' WHERE id = ?", Values(date, one.id)));
  if (date || !one.is_active) return {};
  return deactivate(c, name, "its schedule has no date any more", edit);
}

Result<void> move_dates(Connection& c, int64_t schedule, const Edit& edit) {
  std::vector<std::string> names;
  TRY_VOID(c.each("SELECT name FROM definitions WHERE schedule_id = ? ORDER BY name", Values(schedule),
                  [&](const Row& row) { names.push_back(row.text(0)); }));
  for (const std::string& name : names) TRY_VOID(move_date(c, name, edit));
  return {};
}

}  // namespace caddis::harvest
