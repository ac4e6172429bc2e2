#include "caddis/harvest/outcome.h"

#include <algorithm>
#include <array>

namespace caddis::harvest {
namespace {

constexpr std::array<std::string_view, 7> kStates = {"NEW",    "SUBMITTED",   "STARTED",        "DONE",
                                                     "FAILED", "RESUBMITTED", "FAILED_REJECTED"};
constexpr std::array<std::string_view, 7> kReasons = {
    "completed", "object-limit", "size-limit", "config-size-limit", "unfinished", "config-object-limit", "time-limit"};

template <class Value, size_t n>
std::optional<Value> value_named(const std::array<std::string_view, n>& names, std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Value>(found - names.begin());
}

}  // namespace

std::string_view name_of(JobState state) { return kStates.at(static_cast<size_t>(state)); }
std::optional<JobState> state_named(std::string_view name) { return value_named<JobState>(kStates, name); }

bool may_follow(JobState now, JobState then) {
  using enum JobState;
  switch (now) {
    case created:
      return then == submitted || then == failed || then == failed_rejected;
    case submitted:
      return then == started || then == done || then == failed || then == resubmitted;
    case started:
      return then == done || then == failed;
    case failed:
      return then == resubmitted || then == failed_rejected;
    case failed_rejected:
      return then == failed;
    case done:
    case resubmitted:
      break;
  }
  return false;
}

bool may_be_resubmitted(JobState state) { return state == JobState::submitted || state == JobState::failed; }

std::string_view name_of(StopReason reason) { return kReasons.at(static_cast<size_t>(reason)); }
std::optional<StopReason> reason_named(std::string_view name) { return value_named<StopReason>(kReasons, name); }

}  // namespace caddis::harvest
