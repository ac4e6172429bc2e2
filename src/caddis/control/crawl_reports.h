// The reports of a crawl as documents of the control API. Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/config/remarks.h"
#include "caddis/config/settings.h"
#include "caddis/control/api_types.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/crawl_status.h"
#include "caddis/visit/running_visit.h"

namespace caddis::control {

api::Status to_api(const crawl::CrawlStatus& status);
api::Checkpoint to_api(const crawl::Checkpoint& checkpoint);
std::vector<api::Checkpoint> to_api(const std::vector<crawl::Checkpoint>& checkpoints);

std::vector<api::SettingRemark> to_api(const std::vector<config::Remark>& remarks);

// The settings that a query selects: `name` (of a setting or a section; empty: all), and a `url`, or a host, for
// which sheets are to count.
Result<api::Settings> settings_report(const config::Settings& settings, std::string_view name, std::string_view url,
                                      WallTime now);

// The sheets, or the one of that name; empty: all. ErrorCode::not_found if there is none of it.
Result<api::Sheets> sheets_report(const config::Settings& settings, std::string_view name);

// The first of the visits.
api::RunningVisits to_api(const std::vector<visit::RunningVisit>& running, size_t limit);

}  // namespace caddis::control
