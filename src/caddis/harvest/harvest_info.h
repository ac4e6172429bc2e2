// harvestInfo.xml, which tells of a job and its harvest, with the names of NetarchiveSuite. It is a file of the job from the moment
// on when a harvester takes it, and lies in its metadata file. The same stands in the warcinfo records of the job, as its crawl.yaml
// says (archive.info-fields).
//
// A function of a transaction.
#pragma once

#include <string_view>

#include "caddis/base/error.h"
#include "caddis/harvest/jobs.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

inline constexpr std::string_view kHarvestInfo = "harvestInfo.xml";

// `performer`: who harvests; empty: nothing is said of it.
Result<void> write_harvest_info(sql::Connection& connection, const Job& job, std::string_view performer);

}  // namespace caddis::harvest
