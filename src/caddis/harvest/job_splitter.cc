#include "caddis/harvest/job_splitter.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace caddis::harvest {
namespace {

// Unlimited is the largest.
int64_t as_number(int64_t limit) { return limit == kNoLimit ? std::numeric_limits<int64_t>::max() : limit; }

}  // namespace

void sort_candidates(std::vector<Candidate>& candidates, const Limits& harvest) {
  const auto key = [&](const Candidate& one) {
    return std::make_tuple(std::string_view(one.template_name), std::string_view(one.overrides),
                           -as_number(lower_limit(one.limits.bytes, harvest.bytes)), -one.expected, one.configuration);
  };
  std::ranges::sort(candidates, [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
}

JobSplitter::JobSplitter(const SplitSettings& settings, const Limits& harvest, TakeJob take)
    : settings_(settings), harvest_(harvest), take_(std::move(take)) {}

Result<void> JobSplitter::add(Candidate candidate) {
  const bool has_no_budget = lower_limit(candidate.limits.objects, harvest_.objects) == 0 ||
                             lower_limit(candidate.limits.bytes, harvest_.bytes) == 0;
  if (settings_.leave_out_zero_budget && has_no_budget) return {};
  if (!job_.members.empty() && !accepts(candidate)) TRY_VOID(finish());
  if (job_.members.empty()) begin(candidate);
  smallest_ = std::min(smallest_, candidate.expected);
  largest_ = std::max(largest_, candidate.expected);
  job_.expected += candidate.expected;
  domains_.insert(candidate.domain);
  job_.members.push_back(std::move(candidate));
  return {};
}

Result<void> JobSplitter::finish() {
  if (job_.members.empty()) return {};
  JobPlan done = std::exchange(job_, {});
  domains_.clear();
  return take_(std::move(done));
}

void JobSplitter::begin(const Candidate& candidate) {
  job_.template_id = candidate.template_id;
  job_.template_name = candidate.template_name;
  job_.overrides = candidate.overrides;
  job_.limits = harvest_;
  job_.is_bytes_by_configuration = is_less(candidate.limits.bytes, harvest_.bytes);
  if (job_.is_bytes_by_configuration) job_.limits.bytes = candidate.limits.bytes;
  job_.is_objects_by_configuration = settings_.by_object_limit && is_less(candidate.limits.objects, harvest_.objects);
  if (job_.is_objects_by_configuration) job_.limits.objects = candidate.limits.objects;
  smallest_ = largest_ = candidate.expected;
}

bool JobSplitter::accepts(const Candidate& candidate) const {
  if (domains_.contains(candidate.domain)) return false;
  if (job_.members.size() >= settings_.most_configurations) return false;
  if (candidate.template_id != job_.template_id || candidate.overrides != job_.overrides) return false;
  return accepts_limits(candidate) && accepts_size(candidate.expected);
}

bool JobSplitter::accepts_limits(const Candidate& candidate) const {
  const Limits& own = candidate.limits;
  if (is_less(own.bytes, job_.limits.bytes)) return false;
  if (job_.is_bytes_by_configuration && own.bytes != job_.limits.bytes) return false;
  if (!settings_.by_object_limit) return true;
  if (is_less(own.objects, job_.limits.objects)) return false;
  return !job_.is_objects_by_configuration || own.objects == job_.limits.objects;
}

bool JobSplitter::accepts_size(int64_t expected) const {
  if (job_.expected > 0 && job_.expected + expected > settings_.most_expected) return false;
  if (expected >= smallest_ && expected <= largest_) return true;
  const int64_t largest = std::max(largest_, expected), smallest = std::min(smallest_, expected);
  if (largest - smallest <= settings_.absolute_difference) return true;
  const int64_t divisor = std::max<int64_t>(smallest, 1), times = largest / divisor;
  return times < settings_.relative_difference || (times == settings_.relative_difference && largest % divisor == 0);
}

}  // namespace caddis::harvest
