// Logs and reports of jobs of a harvest server, out of the metadata files of its archive: they are laid out into a temporary
// folder, which goes with this object.
//
// One thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/harvest/archived_jobs.h"

namespace caddis::cli {

class JobLogs {
 public:
  JobLogs() = default;
  JobLogs(const JobLogs&) = delete;
  JobLogs& operator=(const JobLogs&) = delete;
  ~JobLogs();

  // The jobs of a collection, the earliest first; none if it is not that of a harvest server.
  static Result<std::vector<harvest::ArchivedJob>> list(const std::string& collection);
  // The job whose launch has that name, or that has that number ("12"); nullptr if there is none.
  static const harvest::ArchivedJob* find(const std::vector<harvest::ArchivedJob>& jobs, const std::string& name);
  // Files of one job. An error says where they lie, and how they are read otherwise.
  Result<collection::Launch> open(const harvest::ArchivedJob& job, const harvest::WantedRecord& wanted);

 private:
  std::string folder_;
};

}  // namespace caddis::cli
