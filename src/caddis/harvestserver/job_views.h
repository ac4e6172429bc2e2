// Collections that show one job alone: the index of the job, over the archive of all jobs. They stand in one folder with a
// link to that archive, which `caddis serve` shows as a folder of collections:
//
//   shown/harvests -> ../archive
//   shown/job-12/archive -> ../../archive/archive
//   shown/job-12/indexes/12-20260101000000.cdxj -> …
//
// They are made when somebody wants to see a job; the latest are kept, and all are gone when the server starts.
//
// Any thread. The operating system's files alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::harvestserver {

class JobViews {
 public:
  static constexpr size_t kMost = 20;

  // `data_folder` is an absolute path.
  JobViews(io::Files& files, const std::string& data_folder);
  JobViews(const JobViews&) = delete;
  JobViews& operator=(const JobViews&) = delete;

  // Removes what an earlier server has left.
  Result<void> begin();
  const std::string& folder() const { return folder_; }
  // The name of the collection that shows the job. `indexes`: names of its files in indexes/ of the archive.
  Result<std::string> show(int64_t job, const std::string& title, const std::vector<std::string>& indexes);

 private:
  Result<void> make(const std::string& name, const std::string& title, const std::vector<std::string>& indexes) const;
  Result<void> link_indexes(const std::string& view, const std::vector<std::string>& indexes) const;

  io::Files& files_;
  const std::string folder_, archive_;
  std::mutex mutex_;
  std::deque<std::string> shown_;  // latest first
};

}  // namespace caddis::harvestserver
