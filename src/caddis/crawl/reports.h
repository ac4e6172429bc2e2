// The reports of a crawl, as Heritrix writes them: crawl, seeds, hosts, mimetype, responsecode and processors,
// in
// <launch>/reports/.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/seed_fates.h"
#include "caddis/crawl/statistics.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"
#include "caddis/visit/pipeline.h"

namespace caddis::crawl {

struct ReportFacts {
  std::string name, status;                   // "Finished", "Finished - a limit was reached: …"
  uint64_t queued = 0;                        // URLs not yet visited
  uint64_t over_quota = 0;                    // of them, those that wait for a higher quota
  std::vector<std::string> losses = {};       // of a disk that lied
  std::vector<visit::StepReport> steps = {};  // of all lanes, since this process began
};

std::string crawl_report(const Statistics& statistics, const SeedTally& seeds, const ReportFacts& facts);
// Writes the report of all seeds, however many they are, and counts them.
Result<SeedTally> write_seeds_report(io::Files& files, const std::string& path, store::Kv& kv, store::Family family);
std::string hosts_report(const Statistics& statistics);
std::string mimetype_report(const Statistics& statistics);
std::string responsecode_report(const Statistics& statistics);
std::string processors_report(const std::vector<visit::StepReport>& steps);
// With the figures of the DeDuplicator's report.
std::string dedup_report(const Statistics& statistics, const std::vector<visit::StepReport>& steps);

// Writes all of them, each atomically. Seeds are read from the rows of the statistics.
Result<SeedTally> write_reports(io::Files& files, const collection::Launch& launch, const Statistics& statistics,
                                store::Kv& kv, const ReportFacts& facts);

}  // namespace caddis::crawl
