// The outcome of a crawl of the selftest's site, read back from its files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"

namespace caddis::selftest {

// Lines of crawl.log by their URLs, without lookups.
struct LogLine {
  int status = 0;
  std::vector<std::string> columns;

  bool is_repetition() const;  // it says that its payload was known
};
using LogLines = std::map<std::string, LogLine>;

// ErrorCode::corrupt if a line has not twelve columns, or its URL stands in another one, too.
Result<LogLines> read_crawl_log(const collection::Launch& launch);

// The figures of the crawl report, by their names.
Result<std::map<std::string, std::string>> read_crawl_report(const collection::Launch& launch);

struct ArchiveFindings {
  uint64_t files = 0, records = 0, digests = 0, revisits = 0, lines = 0;
  std::vector<std::string> flaws;  // in words
};

// Verifies all WARC files of a collection, and holds its indexes against them.
Result<ArchiveFindings> check_archive(const std::string& collection);

}  // namespace caddis::selftest
