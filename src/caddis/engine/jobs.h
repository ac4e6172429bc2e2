// The jobs of an engine: the folders below its own, found again at start, and the queue of those that wait until fewer
// run.
//
// Any thread. Answers may wait for crawls and the disk: none belongs on a loop.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/engine/divider.h"
#include "caddis/engine/job.h"
#include "caddis/io/files.h"

namespace caddis::engine {

struct JobsOptions {
  std::string folder;
  size_t max_running = 0;  // jobs; 0: any number
  Allowance allowance = {};
};

struct NewJob {
  std::string name;
  std::string profile;            // of those that ship, or a job that is one
  std::string job;                // a job whose configuration is taken
  std::vector<std::string> urls;  // seeds, added to those of the configuration
};

// An action, and what it needs.
struct JobOrder {
  JobAction action = JobAction::build;
  LaunchRequest launch;     // launch, resume
  std::string name;         // checkpoint; copy: of the new job
  bool as_profile = false;  // copy
  bool launches = false;    // remove: with all that was crawled
  std::string actor = {};   // who asks, for job.log
};

class Jobs {
 public:
  // Takes the folder for this process. ErrorCode::conflict if another engine has it.
  static Result<std::unique_ptr<Jobs>> open(const JobWorld& world, const JobsOptions& options);

  const JobsOptions& options() const { return options_; }
  const JobWorld& world() const { return world_; }
  // By name.
  std::vector<std::shared_ptr<Job>> list() const;
  // ErrorCode::not_found
  Result<std::shared_ptr<Job>> find(std::string_view name) const;
  size_t running() const;

  Result<std::shared_ptr<Job>> create(const NewJob& wanted);
  // The job that the order was for; of `copy` the new one. Null if it was removed.
  Result<std::shared_ptr<Job>> perform(std::string_view name, const JobOrder& order);
  // Finds folders that others have made, and forgets those that are gone. Returns how many were found.
  Result<size_t> rescan();
  // Looks at every job that runs, and launches those whose turn it is. To be called again and again.
  void look();
  // Called after each change of a summary, and when a job is gone; by any thread, one call at a time. Before anything else
  // is done.
  void listen(std::function<void(const JobSummary&)> on_change, std::function<void(const std::string& name)> on_gone) {
    on_change_ = std::move(on_change);
    on_gone_ = std::move(on_gone);
  }

 private:
  Jobs(const JobWorld& world, JobsOptions options);
  Result<std::shared_ptr<Job>> add(const std::string& name);
  void forget(const Job& job);
  Result<JobFolder> make_folder(std::string_view name);
  Result<void> start_or_queue(Job& job, const LaunchRequest& request);
  void launch_queued();
  Result<void> steer(Job& job, const JobOrder& order);
  Result<std::shared_ptr<Job>> copy(const Job& from, const JobOrder& order);
  Result<void> remove(Job& job, bool launches);
  void tell(const Job& job);

  const JobWorld& world_;
  const JobsOptions options_;
  std::unique_ptr<io::FileLock> lock_;
  mutable std::mutex guard_;  // of jobs_ and ticket_
  std::map<std::string, std::shared_ptr<Job>, std::less<>> jobs_;
  uint64_t ticket_ = 0;
  Divider divider_;
  std::mutex starting_;  // held while it is decided whether a job has to wait
  std::mutex telling_;
  std::function<void(const JobSummary&)> on_change_;
  std::function<void(const std::string&)> on_gone_;
};

}  // namespace caddis::engine
