// The documents of a mirror as plain files, and the list of them (logs/mirror.jsonl). A file is there whole or not at
// all. One that a group had written before a death stays: it is replaced when its document is fetched again.
//
// Used on the group's worker.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

class MirrorFiles {
 public:
  // `folder`: of the mirror.
  MirrorFiles(io::Files& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  // Writes documents of one group, and appends a line for each to `list`. Where a document stands that must be a folder
  // now, or the other way round, ".dir" or ".file" is put behind the later one's name.
  Result<void> write(const std::vector<const visit::Capture*>& captures, size_t writer, std::string& list);

 private:
  struct Begun {
    std::string path, temporary;
  };
  Result<std::string> place_for(std::string_view path);
  Result<Begun> begin(const std::string& path, const io::Spool& document, size_t number);

  io::Files& files_;
  const std::string folder_;
};

}  // namespace caddis::crawl
