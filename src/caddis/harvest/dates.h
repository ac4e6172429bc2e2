// The dates of harvests whose schedule has become another: each harvest of a schedule that was changed, or one that was given
// another schedule. A date that was found by the schedule before holds no longer.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/harvest/definitions.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/schedule.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

// The runs of a harvest at dates of its schedule: all but those that somebody has asked for between two dates.
Result<int64_t> dates_had(sql::Connection& connection, const Definition& definition);
// The first date of a harvest by a schedule, with the dates that it has had; nothing if there is none.
Result<std::optional<int64_t>> date_of(sql::Connection& connection, const Definition& definition,
                                       const Schedule& schedule, int64_t now);
// Finds the date of a harvest anew, unless it has none yet, or its jobs are being made. If there is none any more, an active
// harvest is deactivated.
Result<void> move_date(sql::Connection& connection, std::string_view definition, const Edit& edit);
// The same of all harvests that have the schedule.
Result<void> move_dates(sql::Connection& connection, int64_t schedule, const Edit& edit);

}  // namespace caddis::harvest
