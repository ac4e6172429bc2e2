// Copies the records that match from any number of files into one, byte for byte.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/inspect/record_filter.h"
#include "caddis/io/files.h"
#include "caddis/warc/archive_file.h"
#include "caddis/warc/finding.h"

namespace caddis::inspect {

struct CopyOptions {
  // Also what belongs to the records that match: requests and metadata (WARC-Concurrent-To, WARC-Refers-To), and the
  // warcinfo record that they name.
  bool with_concurrent = false;
  // Told what is wrong with a file, and which records are left out for it.
  std::function<void(const std::string& file, const warc::Finding&)> report;
  std::function<void(uint64_t bytes)> progress;  // may be empty
};

struct CopyReport {
  uint64_t read = 0;  // records
  uint64_t copied = 0;
  uint64_t left_out = 0;  // they match and are damaged
};

// Adds the records to `out`, which the caller finishes. ErrorCode::unsupported if records of ARC and WARC files would
// meet in it.
Result<CopyReport> copy_matching(io::Files& files, const std::vector<std::string>& from, const RecordFilter& filter,
                                 warc::ArchiveFile& out, const CopyOptions& options);

}  // namespace caddis::inspect
