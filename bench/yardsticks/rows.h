// What RocksDB needs for the rows that the commit of a page writes (docs/formats/frontier.md), made here and written
// with the library alone, with the same options and one synced batch a group.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/base/error.h"

namespace yardsticks {

struct RowOptions {
  double new_links = 1;        // a page, on average; they come 18 at a time, 13 of them for the page's own queue
  uint64_t hosts = 1000;       // whose queues and counters change
  uint64_t group_pages = 500;  // that one batch commits
  double seconds = 0.5;        // about how long it may take
};

// Seconds of processor time a page, with RocksDB's own threads and what they do at the end.
caddis::Result<double> measure_rows(const RowOptions& options, const std::string& folder);

}  // namespace yardsticks
