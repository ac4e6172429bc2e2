// The index server's answer to Prometheus: requests, lines that were taken, and the indexes that are open.
//
// `index_metrics` blocks; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/cdxserver/index_folder.h"

namespace caddis::cdxserver {

// A server's counts since it began.
struct IndexCounts {
  uint64_t answered = 0;            // requests; with a status below 400
  uint64_t rejected = 0;            // … 400 to 499
  uint64_t failed = 0;              // … from 500 on
  uint64_t added = 0, deleted = 0;  // lines

  void count_answer(int status) { ++(status < 400 ? answered : status < 500 ? rejected : failed); }
};

// `refused` requests did not come to the server, since their client had sent too many.
std::string index_metrics(const std::vector<std::shared_ptr<ServedIndex>>& open, const IndexCounts& counts,
                          uint64_t refused);
// As a part of a reference page.
std::string index_metrics_markdown();

}  // namespace caddis::cdxserver
