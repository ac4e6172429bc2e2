// Divides what the engine may use among its jobs: says whether one more may begin, and with what, and tells those that
// run their shares of bandwidth and disk whenever others run than before.
//
// `grant`: one call at a time; `divide`: too, beside that. Both may wait for crawls and the disk.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/engine/job.h"
#include "caddis/engine/job_world.h"
#include "caddis/engine/shares.h"

namespace caddis::engine {

class Divider {
 public:
  using Jobs = std::vector<std::shared_ptr<Job>>;

  // `places`: jobs that may run at the same time; 0: any number. `folder`: of the jobs.
  Divider(const JobWorld& world, const Allowance& allowance, size_t places, std::string folder)
      : world_(world), allowance_(allowance), places_(places), folder_(std::move(folder)) {}

  // No grant: it has to wait until others have ended, or made room.
  std::optional<Grant> grant(const Job& job, const Jobs& all);
  // To be called again and again.
  void divide(const Jobs& all);

 private:
  uint64_t disk_left();
  // `goes_on`: with the latest launch, whose files count.
  Division division_of(const Job& job, size_t running, bool goes_on);

  const JobWorld& world_;
  const Allowance allowance_;
  const size_t places_;
  const std::string folder_;
  std::mutex measuring_;  // of the next two
  std::optional<SteadyTime> measured_;
  uint64_t disk_left_ = 0;
  std::string divided_among_;         // those that ran when it was divided
  std::map<std::string, bool> told_;  // by job: it knows its share
};

// Bytes of all files below a folder; links are not followed.
uint64_t tree_size(io::Files& files, const std::string& folder);

}  // namespace caddis::engine
