// The reports of a crawl as documents of the control API. Pure functions.
#pragma once

#include <vector>

#include "caddis/control/api_types.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/crawl_status.h"
#include "caddis/visit/running_visit.h"

namespace caddis::control {

api::Status to_api(const crawl::CrawlStatus& status);
api::Checkpoint to_api(const crawl::Checkpoint& checkpoint);
std::vector<api::Checkpoint> to_api(const std::vector<crawl::Checkpoint>& checkpoints);

// The first of the visits.
api::RunningVisits to_api(const std::vector<visit::RunningVisit>& running, size_t limit);

}  // namespace caddis::control
