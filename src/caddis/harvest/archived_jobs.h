// The jobs of a collection whose crawls are not in it: their archive files are, and their logs and reports lie in metadata
// files beside those (metadata_file.h). They can be laid out into a folder as those of a launch, for whoever reads the logs and
// reports of launches.
//
// Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"

namespace caddis::harvest {

struct ArchivedJob {
  int64_t number = 0;
  std::string launch;  // "12-20260101000000", after its index; "12" if there is none
  // "12-metadata-1.warc" and so on, in that order: the later ones complete the earlier.
  std::vector<std::string> metadata_files;
};
// By their numbers, each once; none if there is no metadata file.
Result<std::vector<ArchivedJob>> archived_jobs(io::Files& files, const collection::Layout& layout);

// Kind and name of a record: "logs", "crawl.log".
using WantedRecord = std::function<bool(std::string_view kind, std::string_view name)>;
// Writes the logs and reports that are wanted below `folder`, which becomes that of a collection; the launch there has no other
// files. Reads each metadata file once, piece by piece; what an earlier one has is not taken from a later one.
Result<collection::Launch> lay_out_launch(io::Files& files, const ArchivedJob& job, const std::string& folder,
                                          const WantedRecord& wanted);

}  // namespace caddis::harvest
