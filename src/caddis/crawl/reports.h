// The reports of a crawl, as Heritrix writes them: crawl, seeds, hosts, mimetype, responsecode and processors,
// in
// <launch>/reports/.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/statistics.h"
#include "caddis/io/files.h"
#include "caddis/visit/pipeline.h"

namespace caddis::crawl {

struct ReportFacts {
  std::string name, status;                   // "Finished", "Finished - a limit was reached: …"
  uint64_t queued = 0;                        // URLs not yet visited
  uint64_t over_quota = 0;                    // of them, those that wait for a higher quota
  std::vector<std::string> losses = {};       // of a disk that lied
  std::vector<visit::StepReport> steps = {};  // of all lanes, since this process began
};

std::string crawl_report(const Statistics& statistics, const ReportFacts& facts);
std::string seeds_report(const Statistics& statistics);
std::string hosts_report(const Statistics& statistics);
std::string mimetype_report(const Statistics& statistics);
std::string responsecode_report(const Statistics& statistics);
std::string processors_report(const std::vector<visit::StepReport>& steps);

// Writes all of them, each atomically.
Result<void> write_reports(io::Files& files, const collection::Launch& launch, const Statistics& statistics,
                           const ReportFacts& facts);

}  // namespace caddis::crawl
