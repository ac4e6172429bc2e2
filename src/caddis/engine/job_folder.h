// The folder of a job: names and files, without a word on what runs.
//
//   <jobs>/<name>/crawl.yaml            its configuration; or crawler-beans.cxml, which is imported at build
//                /job.yaml              what the engine has to know of it after a restart (job_record.h)
//                /job.log               what has happened to it: a line "2026-11-24T17:00:00Z INFO text" each
//                /<timestamp14>/        a launch: a collection of its own, besides
//                    output.log         what the process printed
//                    process            a file that the process holds locked while it lives (job_process.h)
//                    logs, reports, state, crawl.yaml, warcs      links, as Heritrix has them
//                /latest                a link to the newest
//
// Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"

namespace caddis::engine {

// Up to 64 letters, digits, '.', '_' and '-', the first no '.' or '-'.
bool is_job_name(std::string_view name);
// "20261124170000", perhaps with "-2": two launches may fall into one second.
bool is_launch_name(std::string_view name);

class JobFolder {
 public:
  JobFolder(io::Files& files, std::string path) : files_(&files), path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string yaml() const { return path_ + "/crawl.yaml"; }
  std::string cxml() const { return path_ + "/crawler-beans.cxml"; }
  std::string record() const { return path_ + "/job.yaml"; }
  std::string log() const { return path_ + "/job.log"; }
  // Where crawl.yaml and the lists that an import makes of a cxml lie.
  std::string imported() const { return path_ + "/imported"; }
  std::string launch(std::string_view name) const { return path_ + "/" + std::string(name); }

  bool has_config() const;
  bool is_cxml() const;
  // The file that people edit.
  std::string config_file() const { return is_cxml() ? cxml() : yaml(); }

  // The oldest first.
  std::vector<std::string> launches() const;
  // "latest" stands for the newest. ErrorCode::not_found if there is none of that name.
  Result<std::string> find_launch(std::string_view name) const;
  // The crawl in the collection of a launch; nothing while it has not begun.
  std::optional<collection::Launch> crawl_of(std::string_view launch) const;
  // Makes the folder of a new launch.
  Result<std::string> make_launch(WallTime now) const;
  // Makes the links of a launch as far as they can be made, and `latest`. True if all are there.
  bool link(std::string_view launch) const;

  void write_log(WallTime now, std::string_view level, std::string_view text) const;
  // The last lines.
  std::vector<std::string> log_tail(size_t lines) const;

 private:
  io::Files* files_;
  std::string path_;
};

}  // namespace caddis::engine
