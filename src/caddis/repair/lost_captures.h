// The captures that lay in lost parts of WARC files, as the index journal names them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/streams.h"

namespace caddis::repair {

struct LostCaptures {
  std::vector<std::string> urls;          // sorted, each once
  std::vector<std::string> requests;      // the same, of those that answer a POST and the like
  std::map<std::string, uint64_t> whole;  // up to where each WARC file is, by its base name
};

// `files`: WARC files of which something is lost. Reads the journal as far as it is committed, and changes nothing.
Result<LostCaptures> find_lost_captures(io::Files& disk, const store::LogParts& journal,
                                        const std::vector<store::ShortFile>& files);

}  // namespace caddis::repair
