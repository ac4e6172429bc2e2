// The file job.yaml: what an engine has to know of a job besides its folders, so that the job stands where it stood
// after any death of the engine. Grammar: docs/engine.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::engine {

// How a launch is to begin.
struct LaunchRequest {
  bool paused = false;
  bool resume = false;     // go on with the latest launch
  std::string checkpoint;  // a new launch from one of the latest launch's; with `resume`: go back to it
  bool operator==(const LaunchRequest&) const = default;
};

struct JobRecord {
  bool is_profile = false;
  bool is_built = false;
  std::string launch;      // the one that runs, or has ended and was not torn down; or empty
  bool is_ending = false;  // it was asked to end
  // The end that `launch` had on record when it was resumed, by sizes and times of its files: not that of the process
  // which was started then. Empty: it had none.
  std::string end_before = {};
  uint64_t memory = 0;    // bytes that its launch was given; 0: as many as it asks for
  uint64_t ticket = 0;    // its place in the queue; 0: it does not wait
  LaunchRequest request;  // of one that waits
  // The launches whose process was killed since it did not end in time, the latest last. No report of theirs counts.
  std::vector<std::string> killed = {};
  bool operator==(const JobRecord&) const = default;
};

// Whether `launch` is among those that were killed.
bool was_killed(const JobRecord& record, std::string_view launch);
// Adds it to those, or takes it out. So many are kept that the record can be read again.
void set_killed(JobRecord& record, const std::string& launch, bool is_killed);

std::string format_record(const JobRecord& record);
// ErrorCode::parse names the line.
Result<JobRecord> parse_record(std::string_view text);

// One that is not there is a new job's.
Result<JobRecord> read_record(io::Files& files, const std::string& path);
Result<void> write_record(io::Files& files, const std::string& path, const JobRecord& record);

}  // namespace caddis::engine
