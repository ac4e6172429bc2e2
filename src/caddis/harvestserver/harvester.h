// A harvester: takes one job after another from its server, runs each as a crawl of its own (a job of an engine, in a process
// that outlives this one), says how it goes, and hands over what it has brought.
//
//   <data>/jobs/<number>/order.json    what the server has said of the job
//                       /template/…    the files of its template
//                       /<launch>/     the crawl; a collection
//                       /metadata/     its metadata file, and what it is put together from
//   <data>/oldjobs/<number>/           jobs whose files could not be handed over, and logs of those that could
//
// A job that is found at the start is gone on with: at its crawl, if that runs; at its end otherwise. A job that another harvester has left
// is gone on with in that one's folder, which is locked meanwhile. One thread; `step` waits
// for the server and the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/engine/job_world.h"
#include "caddis/engine/jobs.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/server_link.h"

namespace caddis::harvestserver {

struct HarvesterOptions {
  std::string data;                                       // its folder
  std::string name;                                       // under which the server knows it
  std::string host, ip;                                   // its machine
  std::vector<std::string> channels;                      // empty: all that there are
  uint64_t least_free = 400'000'000;                      // bytes of the disk, without which it takes no job
  uint64_t least_memory = 400'000'000;                    // bytes that processes can still have; 0: it does not look
  std::function<uint64_t()> memory_available = {};        // such bytes, 0: not known; none: it does not look
  Duration hello_interval = std::chrono::seconds(20);     // while it is idle
  Duration progress_interval = std::chrono::seconds(20);  // of a job
  Duration wish_interval = std::chrono::seconds(2);       // between looks at what people want of a job
};

class JobRun;

class Harvester {
 public:
  // ErrorCode::conflict if another process has the folder. `world` must outlive it.
  static Result<std::unique_ptr<Harvester>> open(const engine::JobWorld& world, ServerLink link,
                                                 HarvesterOptions options);
  ~Harvester();

  // One look: at the job that it has, or for another one. An error is of this look alone: the next may go well.
  Result<void> step();
  // The number of its job.
  std::optional<int64_t> job() const;
  // The jobs in its own folder.
  engine::Jobs& jobs() { return *jobs_; }

 private:
  Harvester(const engine::JobWorld& world, ServerLink link, HarvesterOptions options,
            std::unique_ptr<engine::Jobs> jobs);
  Result<void> find_old_job();
  // Why it takes no job now; empty if it takes one.
  Result<std::string> shortage() const;
  Result<void> say_hello(std::string_view state);
  Result<void> look_for_job();
  Result<void> begin(Order order, const std::string& json);
  Result<void> take_over(Order order);
  std::string taken_file() const { return options_.data + "/taken-over.json"; }

  const engine::JobWorld& world_;
  const ServerLink link_;
  const HarvesterOptions options_;
  const std::unique_ptr<engine::Jobs> jobs_;
  std::unique_ptr<engine::Jobs> taken_;  // of a harvester that was lost, while this one has its job
  std::unique_ptr<JobRun> run_;
  std::vector<std::string> channels_;  // as the server has confirmed them
  SteadyTime next_hello_;
};

}  // namespace caddis::harvestserver
