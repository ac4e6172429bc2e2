// The facts about the engine and its jobs that Heritrix's documents tell, read from the documents of the engine's API.
//
// Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::rest {

struct EngineFacts {
  std::string version, jobs_dir;
  uint64_t memory_total = 0, memory_available = 0;
};

struct JobSummaryFacts {
  std::string name;
  bool is_profile = false;
  std::string state;   // "UNBUILT", "READY", "QUEUED", or a state of a crawl
  std::string exit;    // "FINISHED", "ABORTED"; empty if no crawl has ended
  std::string status;  // "Active: PAUSED"
  uint64_t launch_count = 0;
  std::string last_launch;  // "20261124170000", or empty
  uint64_t documents = 0, bytes = 0, alerts = 0;

  bool is_built() const { return state != "UNBUILT"; }
  // A crawl runs, or is about to.
  bool is_running() const;
};

// A crawl that runs, as its control API tells.
struct CrawlFacts {
  double elapsed_seconds = 0;
  uint64_t documents = 0, bytes = 0, novel_bytes = 0, warc_bytes = 0, failed = 0, excluded = 0, queued = 0,
           visiting = 0;
  uint64_t repeated = 0, repeated_bytes = 0, unchanged = 0, unchanged_bytes = 0;
  uint64_t hosts = 0;
  double documents_per_second = 0, documents_per_second_average = 0, bytes_per_second = 0, bytes_per_second_average = 0;
  std::map<std::string, uint64_t> queues;  // by the name of their state
  uint64_t deepest_queue = 0;
};

struct JobFacts : JobSummaryFacts {
  std::string config_file;
  std::vector<std::string> log_tail;     // the oldest line first
  std::vector<std::string> checkpoints;  // names, the oldest first
  std::vector<std::string> problems;
  std::optional<CrawlFacts> crawl;
  CrawlFacts ended;  // what the reports say of the latest launch, if it has ended

  // Not in that document; empty if nobody has asked for it.
  std::vector<std::string> crawl_log_tail;  // the latest line first
  std::map<std::string, uint64_t> visits;   // by step
  std::string folder;                       // of the job
};

// ErrorCode::parse if a document is not what api/engine.yaml says.
Result<EngineFacts> read_engine(std::string_view json);
Result<std::vector<JobSummaryFacts>> read_jobs(std::string_view json);
Result<JobFacts> read_job(std::string_view json);
// Reads the answer to GET …/logs/{log}.
Result<std::vector<std::string>> read_lines(std::string_view json);
// Reads the answer to GET …/control/visits: how many visits are at each step.
Result<std::map<std::string, uint64_t>> read_visits(std::string_view json);

}  // namespace caddis::rest
