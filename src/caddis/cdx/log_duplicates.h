// Index lines of what a crawl has not stored again: a crawl.log in which the DeDuplicator of NetarchiveSuite has noted where
// the payload lies already (logs/log_line.h: duplicate_origin). Each line is a capture of its own, by URL and time of the
// log, and points at file and offset of the original. If that is of a URL with another key (the DeDuplicator passes over
// queries), the line has the key of the log's URL, and names the original's.
//
// The function holds no state; different files may be read by different threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

// Told from the first line, never from the name; gzip or not.
bool is_crawl_log(io::Files& files, const std::string& path);

struct IndexedLog {
  uint64_t lines = 0;
  uint64_t untold = 0;  // duplicates of which the log does not say where they lie: records of the archive tell of them
};
Result<IndexedLog> index_duplicates(io::Files& files, const std::string& path,
                                    const std::function<Result<void>(std::string_view line)>& use,
                                    const url::KeyPolicy& policy = url::KeyPolicy::ia_surt());

}  // namespace caddis::cdx
