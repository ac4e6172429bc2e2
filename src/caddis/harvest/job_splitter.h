// Takes the configurations of a harvest one by one, and puts them together to jobs: those with the same template and the same
// limits, and of about the same size, so that the job does not go on for weeks for one of them.
//
// Six checks say whether a configuration comes into the job that is open (docs/harvesting.md has them in words). One that
// does not closes it, and begins another. At most one job is open, so memory is that of a job.
//
// Pure. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/expectation.h"

namespace caddis::harvest {

struct Candidate {
  int64_t configuration = 0, domain = 0;  // their ids
  std::string domain_name;
  int64_t template_id = 0;
  std::string template_name;
  std::string overrides;  // settings of its own; with others it is not in one job
  Limits limits;
  int64_t expected = 0;  // objects
};

// The order in which candidates of one piece are to be added: template, overrides, byte limit and expectation, the last two
// from the largest down.
void sort_candidates(std::vector<Candidate>& candidates, const Limits& harvest);

struct SplitSettings {
  size_t most_configurations = 10'000;  // of a job (domainConfigSubsetSize)
  int64_t most_expected = 8'000'000;    // objects of a job (maxTotalSize)
  int64_t relative_difference = 100;    // between the largest and the smallest (maxRelativeSizeDifference)
  int64_t absolute_difference = 2'000;  // below it the relative one is not asked (minAbsoluteSizeDifference)
  bool by_object_limit = false;         // (splitByObjectLimit)
  bool leave_out_zero_budget = false;   // configurations that may fetch nothing (excludeDomainsWithZeroBudget)
};

struct JobPlan {
  int64_t template_id = 0;
  std::string template_name, overrides;
  Limits limits;                           // of each domain, if its configuration has no lower ones
  bool is_bytes_by_configuration = false;  // the limit is that of the configurations
  bool is_objects_by_configuration = false;
  int64_t expected = 0;
  std::vector<Candidate> members;
};

class JobSplitter {
 public:
  using TakeJob = std::function<Result<void>(JobPlan)>;
  JobSplitter(const SplitSettings& settings, const Limits& harvest, TakeJob take);

  Result<void> add(Candidate candidate);
  // Closes the job that is open.
  Result<void> finish();

 private:
  bool accepts(const Candidate& candidate) const;
  bool accepts_limits(const Candidate& candidate) const;
  bool accepts_size(int64_t expected) const;
  void begin(const Candidate& candidate);

  const SplitSettings settings_;
  const Limits harvest_;
  const TakeJob take_;
  JobPlan job_;
  int64_t smallest_ = 0, largest_ = 0;
  std::unordered_set<int64_t> domains_;
};

}  // namespace caddis::harvest
