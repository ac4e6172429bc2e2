// A job as others see it: the documents of the engine's API as structs (api/engine.yaml); job_json.h writes them.
//
// Plain values. Times are ISO 8601 in UTC, sizes are bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/control/api_types.h"
#include "caddis/engine/job_state.h"

namespace caddis::engine {

struct JobSummary {
  std::string name;
  bool is_profile = false;
  JobState state = JobState::unbuilt;
  ExitStatus exit = ExitStatus::none;
  uint64_t launch_count = 0;
  std::string last_launch;  // "20261124170000", or empty
  std::vector<JobAction> actions;
  uint64_t documents = 0, bytes = 0;
  double documents_per_second = 0;
  uint64_t alerts = 0;
  bool operator==(const JobSummary&) const = default;
};

// One launch of a job, begun or ended.
struct LaunchSummary {
  std::string name;     // "20261124170000"
  std::string started;  // "2026-11-24T17:00:00Z"
  std::string ended;    // empty while it runs, or if it died
  std::string exit;     // a name of ExitStatus; empty while it runs
  uint64_t documents = 0, bytes = 0;
  uint64_t repeated = 0, repeated_bytes = 0, unchanged = 0, unchanged_bytes = 0;  // of one that has ended
};

struct JobDetail : JobSummary {
  std::string config_file;                            // its path
  bool is_cxml = false;                               // crawler-beans.cxml; else crawl.yaml
  std::vector<LaunchSummary> launches;                // the oldest first
  std::vector<std::string> log_tail;                  // of job.log, the oldest line first
  std::vector<control::api::Checkpoint> checkpoints;  // of the latest launch
  std::vector<std::string> problems;                  // of its configuration, as the last build found them
  std::string crawl_json;                             // its own status while it runs; empty otherwise
};

}  // namespace caddis::engine
