// The earlier jobs whose payloads a job does not store again. Their numbers stand in its file duplicatereductionjobs.txt (job_files.h).
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

inline constexpr std::string_view kEarlierJobs = "duplicatereductionjobs.txt";

// "1,2,3\n"
std::vector<int64_t> read_earlier_jobs(std::string_view text);
std::string earlier_jobs_text(const std::vector<int64_t>& jobs);
// Returns nothing if the job has no such file.
Result<std::vector<int64_t>> earlier_jobs(sql::Connection& connection, int64_t job);

// Digest indexes of earlier jobs that a harvester could not have as the archive should have them.
struct EarlierTrouble {
  std::vector<int64_t> left_out;     // jobs whose payloads are stored again
  std::vector<std::string> damaged;  // files that are missing in the archive, or damaged there
  std::string words;                 // what was found
};
// The job's file names those of them no more that are left out, its changes say why, and the archive looks at its files soon.
Result<void> bear_earlier_trouble(sql::Connection& connection, int64_t job, const EarlierTrouble& trouble,
                                  const Edit& edit);

}  // namespace caddis::harvest
