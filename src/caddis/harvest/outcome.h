// The states of jobs of harvests and the legal changes between them, and the reasons why a domain's harvest stopped. Names
// are those of NetarchiveSuite and of its harvester's description; numbers are those of its database.
//
//   NEW → SUBMITTED → STARTED → DONE | FAILED        FAILED | SUBMITTED → RESUBMITTED (another job takes its place)
//   NEW → FAILED_REJECTED (it is withdrawn)          FAILED ⇄ FAILED_REJECTED
//   NEW → FAILED (people say so)                     SUBMITTED → DONE | FAILED (its start was never told)
//
// Pure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace caddis::harvest {

enum class JobState : uint8_t { created, submitted, started, done, failed, resubmitted, failed_rejected };
// "NEW", "SUBMITTED", "STARTED", "DONE", "FAILED", "RESUBMITTED", "FAILED_REJECTED"
std::string_view name_of(JobState state);
std::optional<JobState> state_named(std::string_view name);
// Whether the change is among those above.
bool may_follow(JobState now, JobState then);
// Whether another job may take its place.
bool may_be_resubmitted(JobState state);
// A harvester has it.
constexpr bool is_running(JobState state) { return state == JobState::submitted || state == JobState::started; }

enum class StopReason : uint8_t {
  completed,            // nothing was left to do
  object_limit,         // as many objects as the harvest allows
  size_limit,           // as many bytes as the harvest allows
  config_size_limit,    // as many bytes as the configuration allows
  unfinished,           // interrupted before any of the others
  config_object_limit,  // as many objects as the configuration allows
  time_limit,           // the job was not to go on any longer
};
// "completed", "object-limit", "size-limit", "config-size-limit", "unfinished", "config-object-limit", "time-limit"
std::string_view name_of(StopReason reason);
std::optional<StopReason> reason_named(std::string_view name);

}  // namespace caddis::harvest
