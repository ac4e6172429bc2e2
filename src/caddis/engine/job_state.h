// The states of a job, how its last crawl ended, and what may be done with it when. Names and order are Heritrix's;
// UNBUILT, READY and QUEUED are those of a job that has no crawl.
//
//   unbuilt → ready → (queued →) preparing → running ⇄ pausing → paused → stopping → finished → unbuilt
//
// Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::engine {

enum class JobState : uint8_t {
  unbuilt,    // nobody has looked at its configuration
  ready,      // the configuration has been read, and a crawl can begin (Heritrix: NASCENT)
  queued,     // it waits until fewer jobs run
  preparing,  // its process is there, and does not answer yet
  running,    // visits begin
  empty,      // nothing is left to visit, and it waits for more
  pausing,    // asked to pause; visits go on
  paused,     // no visit runs
  stopping,   // it ends
  finished,   // its process has ended, and nobody has torn the job down
};
// "UNBUILT", "RUNNING"
std::string_view name_of(JobState state);
// A process crawls for it.
bool is_active(JobState state);

enum class ExitStatus : uint8_t {
  none,  // it has not ended
  finished,
  time_limit,
  document_limit,
  data_limit,
  write_limit,
  aborted,   // somebody ended it
  abnormal,  // it died, or could not begin
};
// "FINISHED", "FINISHED_TIME_LIMIT", "ABORTED", "ABNORMAL"; empty for none.
std::string_view name_of(ExitStatus exit);
// "Finished - Timelimit hit", as reports say it. Nothing: the process left no word.
ExitStatus exit_of(const std::optional<std::string>& words);

// The state of a crawl that says it is `state` (GET /status of its control API), with so many visits.
JobState state_of_crawl(std::string_view state, uint64_t visiting);

// "Unbuilt", "Ready", "Queued", "Active: PAUSED", "Finished: ABORTED"
std::string status_of(JobState state, ExitStatus exit);

enum class JobAction : uint8_t {
  build,
  launch,
  pause,
  unpause,
  checkpoint,
  terminate,
  teardown,
  resume,
  dequeue,
  copy,
  remove,
};
// "build"; `remove` is "delete".
std::string_view name_of(JobAction action);
std::optional<JobAction> find_action(std::string_view name);

// The actions that a job takes now. A profile is never launched.
std::vector<JobAction> actions_in(JobState state, bool is_profile, bool has_launches);
bool takes(JobState state, bool is_profile, bool has_launches, JobAction action);

}  // namespace caddis::engine
