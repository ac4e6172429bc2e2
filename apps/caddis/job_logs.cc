#include "job_logs.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
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

}  // namespace

JobLogs::~JobLogs() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
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
  }
  auto launch = harvest::lay_out_launch(io::real_files(), job, folder_, wanted);
  if (launch) return launch;
  return fail(
      launch.error().code,
      fmt::format("the logs of job {} lie in {}, and could not be read there: {} (caddis warc check tells what is "
                  "wrong with it, TMPDIR where they are unpacked)",
                  job.number, job.metadata_file, launch.error().message));
}

}  // namespace caddis::cli
