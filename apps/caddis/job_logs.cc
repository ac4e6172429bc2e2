#include "job_logs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "caddis/io/files.h"

namespace caddis::cli {
namespace {

Result<std::string> new_folder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "caddis-logs-XXXXXX").string();
  if (error || ::mkdtemp(name.data()) == nullptr)
    return fail(ErrorCode::io, "no temporary folder can be made; TMPDIR says where it is to be");
  return name;
}

// Folders that are there. A command whose reader has gone ends at once, and takes them along (std::quick_exit).
std::vector<std::string>& open_folders() {
  static std::vector<std::string> folders;
  return folders;
}

void remove_all(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace

JobLogs::~JobLogs() {
  if (folder_.empty()) return;
  remove_all(folder_);
  std::erase(open_folders(), folder_);
}

Result<std::vector<harvest::ArchivedJob>> JobLogs::list(const std::string& collection) {
  return harvest::archived_jobs(io::real_files(), collection::Layout(collection));
}

const harvest::ArchivedJob* JobLogs::find(const std::vector<harvest::ArchivedJob>& jobs, const std::string& name) {
  const auto found = std::ranges::find_if(
      jobs, [&](const harvest::ArchivedJob& job) { return job.launch == name || std::to_string(job.number) == name; });
  return found == jobs.end() ? nullptr : &*found;
}

Result<collection::Launch> JobLogs::open(const harvest::ArchivedJob& job, const harvest::WantedRecord& wanted) {
  if (folder_.empty()) {
    TRY(folder_, new_folder());
    if (open_folders().empty()) std::at_quick_exit([] { std::ranges::for_each(open_folders(), remove_all); });
    open_folders().push_back(folder_);
  }
  auto launch = harvest::lay_out_launch(io::real_files(), job, folder_, wanted);
  if (launch) return launch;
  return fail(
      launch.error().code,
      fmt::format("the logs of job {} lie in {}, and could not be read there: {} (caddis warc check tells what is "
                  "wrong there, TMPDIR where they are unpacked)",
                  job.number, fmt::join(job.metadata_files, " and "), launch.error().message));
}

}  // namespace caddis::cli
