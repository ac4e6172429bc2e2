// The files of jobs as Heritrix's clients read and write them: by a path below the folder of the jobs, such as
// "news/latest/logs/crawl.log". Nothing outside of that folder is reached: a path has no "..", and of links only those
// are followed that the engine makes (`latest`, and in a launch `logs`, `reports`, `state`, `warcs`), to where it makes
// them. Files that hold secrets are not there, and beside the jobs there is nothing.
//
// Any thread; calls wait for the disk.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"

namespace caddis::rest {

class JobFiles {
 public:
  // `root`: the whole path of the folder of the jobs.
  JobFiles(io::Files& files, std::string root) : files_(files), root_(std::move(root)) {}

  const std::string& root() const { return root_; }

  // The path on disk of what is there. ErrorCode::not_found, or denied if it is not to be reached.
  Result<std::string> find(std::string_view path) const;
  // The same for a path that begins with `root()`.
  Result<std::string> find_whole(std::string_view path) const;

  struct Entry {
    std::string path;  // below the root, as it was asked for
    bool is_directory = false;
  };
  // The files and folders in a folder, by name.
  Result<std::vector<Entry>> list(std::string_view path) const;
  // All below it, folders behind what they hold; links are left out. ErrorCode::limit beyond 100,000.
  Result<std::vector<Entry>> list_all(std::string_view path) const;

  // Reads a file of 64 MiB at most.
  Result<std::string> read(std::string_view path) const;
  // Replaces a file of a job's own folder, or makes it. ErrorCode::denied for those that the engine or a crawl writes.
  Result<void> write(std::string_view path, std::string_view bytes) const;

 private:
  Result<std::string> step_into(const std::string& folder, std::string_view name, size_t depth) const;
  Result<std::string> link_target(const std::string& folder, std::string_view name) const;
  Result<void> add_all(std::string path, std::vector<Entry>& entries) const;

  io::Files& files_;
  const std::string root_;
};

// Whether a name is that of a launch: "20261124170000", perhaps with "-2".
bool is_launch(std::string_view name);

}  // namespace caddis::rest
