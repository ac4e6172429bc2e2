// URLs that a job has missed, and what is done about them.
//
// Patch crawls: a job that fetches URLs which another one of the same harvest has missed, and nothing but these and what they
// embed. It brings no results of domains: expectations and steps of snapshots go by whole harvests.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

// Returns the number of the new job. ErrorCode::conflict unless the job has ended; ErrorCode::config, ErrorCode::parse for
// URLs that are none.
Result<int64_t> patch_job(sql::Connection& connection, int64_t job, const std::vector<std::string>& urls,
                          const Edit& edit);

struct CollectedSeeds {
  int64_t added = 0;
  std::vector<std::string> problems;  // of URLs; the first thousand
};
// The URLs become seeds of their domains: in the list of that name, which the configurations of the job get, so that the next
// harvest begins with them, too. Domains that are not of the job are told as problems.
Result<CollectedSeeds> collect_seeds(sql::Connection& connection, int64_t job, const std::vector<std::string>& urls,
                                     const std::string& list, const Edit& edit);

}  // namespace caddis::harvest
