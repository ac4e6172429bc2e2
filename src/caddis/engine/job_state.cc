#include "caddis/engine/job_state.h"

#include <algorithm>
#include <array>
#include <utility>

namespace caddis::engine {
namespace {

constexpr std::array<std::string_view, 10> kStates{"UNBUILT", "READY",   "QUEUED", "PREPARING", "RUNNING",
                                                   "EMPTY",   "PAUSING", "PAUSED", "STOPPING",  "FINISHED"};
constexpr std::array<std::string_view, 8> kExits{"",
                                                 "FINISHED",
                                                 "FINISHED_TIME_LIMIT",
                                                 "FINISHED_DOCUMENT_LIMIT",
                                                 "FINISHED_DATA_LIMIT",
                                                 "FINISHED_WRITE_LIMIT",
                                                 "ABORTED",
                                                 "ABNORMAL"};
constexpr std::array<std::string_view, 11> kActions{"build",      "launch",    "pause",    "unpause",
                                                    "checkpoint", "terminate", "teardown", "resume",
                                                    "dequeue",    "copy",      "delete"};

std::vector<JobAction> own_actions(JobState state) {
  using enum JobAction;
  switch (state) {
    case JobState::unbuilt:
      return {build, launch, resume};
    case JobState::ready:
      return {build, launch, resume, teardown};
    case JobState::queued:
      return {dequeue};
    case JobState::preparing:
    case JobState::stopping:
      return {terminate};
    case JobState::running:
    case JobState::empty:
      return {pause, checkpoint, terminate};
    case JobState::pausing:
    case JobState::paused:
      return {unpause, checkpoint, terminate};
    case JobState::finished:
      return {build, launch, resume, teardown};
  }
  return {};
}

}  // namespace

std::string_view name_of(JobState state) { return kStates[static_cast<size_t>(state)]; }
std::string_view name_of(ExitStatus exit) { return kExits[static_cast<size_t>(exit)]; }
std::string_view name_of(JobAction action) { return kActions[static_cast<size_t>(action)]; }

bool is_active(JobState state) { return state >= JobState::preparing && state <= JobState::stopping; }

ExitStatus exit_of(const std::optional<std::string>& words) {
  using enum ExitStatus;
  constexpr std::pair<std::string_view, ExitStatus> kWords[] = {
      {"Finished - Ended by operator", aborted},
      {"Finished - Abnormal exit", abnormal},
      {"Finished - Maximum number of documents", document_limit},
      {"Finished - Maximum amount of data", data_limit},
      {"Finished - Maximum bytes written", write_limit},
      {"Finished - Timelimit", time_limit},
  };
  if (!words) return abnormal;
  for (const auto& [beginning, exit] : kWords)
    if (words->starts_with(beginning)) return exit;
  if (words->starts_with("Finished - ")) return aborted;
  return words->starts_with("Finished") ? finished : abnormal;
}

JobState state_of_crawl(std::string_view state, uint64_t visiting) {
  if (state == "running") return JobState::running;
  if (state == "empty") return JobState::empty;
  if (state == "paused") return visiting > 0 ? JobState::pausing : JobState::paused;
  return JobState::stopping;
}

std::string status_of(JobState state, ExitStatus exit) {
  switch (state) {
    case JobState::unbuilt:
      return "Unbuilt";
    case JobState::ready:
      return "Ready";
    case JobState::queued:
      return "Queued";
    case JobState::finished:
      return "Finished: " + std::string(name_of(exit));
    default:
      return "Active: " + std::string(name_of(state));
  }
}

std::optional<JobAction> find_action(std::string_view name) {
  const auto* const found = std::ranges::find(kActions, name);
  if (found == kActions.end()) return std::nullopt;
  return static_cast<JobAction>(found - kActions.begin());
}

std::vector<JobAction> actions_in(JobState state, bool is_profile, bool has_launches) {
  std::vector<JobAction> actions = own_actions(state);
  if (is_profile) actions = {JobAction::build};
  if (!has_launches) std::erase(actions, JobAction::resume);
  actions.push_back(JobAction::copy);
  if (!is_active(state)) actions.push_back(JobAction::remove);
  return actions;
}

bool takes(JobState state, bool is_profile, bool has_launches, JobAction action) {
  return std::ranges::count(actions_in(state, is_profile, has_launches), action) > 0;
}

}  // namespace caddis::engine
