// A job: a folder with a configuration, and the crawls that were launched with it, each a process of its own. The job
// steers its crawl by the crawl's control API, and knows how it stands from looking at it (`look`), also at one that
// an engine before this one has launched.
//
// Any thread. One action at a time; others wait. `summary` waits for nothing, other answers may wait for the crawl: none
// of them belongs on a loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/control/control_client.h"
#include "caddis/engine/end_wait.h"
#include "caddis/engine/job_folder.h"
#include "caddis/engine/job_record.h"
#include "caddis/engine/job_summary.h"
#include "caddis/engine/job_world.h"

namespace caddis::engine {

// Settings of a crawl that begins, which the engine decides over (shares.h).
struct Grant {
  std::vector<std::string> settings = {};  // "memory.total=500000000"
  uint64_t memory = 0;                     // bytes, of those that the engine may use; 0: nobody counts
};

struct CheckpointTaken {
  std::string name;
};

class Job {
 public:
  // Reads what is on disk, and looks for its process.
  Job(const JobWorld& world, std::string name, std::string path);

  const std::string& name() const { return name_; }
  const JobFolder& folder() const { return folder_; }
  JobSummary summary() const;
  JobRecord record() const;
  JobDetail detail() const;
  // The latest launch's crawl, running or ended. ErrorCode::not_found if it was never launched.
  Result<collection::Launch> crawl() const;

  // Reads the configuration, and says in job.log what is wrong with it. ErrorCode::config: a crawl would not begin.
  Result<void> build();
  // Replaces crawl.yaml, as `actor` wants it. The job has to be built again.
  Result<void> write_config(std::string_view yaml, std::string_view actor);
  // Launches at once; Jobs knows whether it has to wait. Builds first if nobody has.
  Result<void> launch(const LaunchRequest& request, const Grant& grant);
  Result<void> enqueue(const LaunchRequest& request, uint64_t ticket);
  // Launches it: its turn has come.
  Result<void> launch_waiting(const Grant& grant);
  Result<void> dequeue();
  Result<void> pause();
  Result<void> unpause();
  // An empty name: one is made.
  Result<CheckpointTaken> checkpoint(const std::string& name);
  Result<void> terminate();
  // Forgets the launch that has ended, and the build: the job is as new. Ends a process that still runs.
  Result<void> teardown();
  // The socket of its crawl's control API. ErrorCode::conflict if it does not run.
  Result<std::string> socket() const;
  // Asks the crawl. ErrorCode::conflict if it does not run, or refuses with 409; other refusals as errors, too.
  Result<std::string> ask(const control::Question& question, Duration patience = std::chrono::seconds(10)) const;

  // Looks how the crawl stands: at its process, then by its control API. True if the summary has changed since.
  bool look();
  // Adds a line to job.log.
  void note(std::string_view level, std::string_view text) const;

 private:
  Result<void> require(JobAction action) const;
  // Without the lock of actions.
  Result<void> build_now();
  Result<void> begin(const LaunchRequest& request, const Grant& grant);
  // Changes the record on disk, then here.
  Result<void> keep(const JobRecord& record);
  void set_state(JobState state, ExitStatus exit = ExitStatus::none);
  void take_status(const std::string& json);
  void see_end();
  uint64_t count_alerts(const collection::Launch& crawl);

  const JobWorld& world_;
  const std::string name_;
  const JobFolder folder_;
  std::mutex action_;          // held while something is done
  EndWait end_wait_;           // guarded by action_
  bool must_ask_end_ = false;  // guarded by action_; an engine before this one may not have come to it
  mutable std::mutex seen_;    // guards all below, shortly
  JobRecord record_;
  JobSummary summary_;
  std::string crawl_json_;
  std::vector<std::string> problems_;
  std::string linked_;        // the launch whose links are made
  uint64_t alert_bytes_ = 0;  // of alerts.log, when its lines were counted
  std::atomic<int> unanswered_ = 0;
};

}  // namespace caddis::engine
