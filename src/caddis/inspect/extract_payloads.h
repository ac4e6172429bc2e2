// Payloads of records as files, in a folder.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/inspect/record_filter.h"
#include "caddis/io/files.h"
#include "caddis/warc/finding.h"

namespace caddis::inspect {

struct ExtractOptions {
  std::string folder;
  bool decode = false;                // undo content codings (gzip, br, …) as well as transfer codings
  uint64_t max_decoded = 4ULL << 30;  // bytes of a file; a payload that decodes to more is left out
  // Each file that was written, as a path in the folder, and the record it is of.
  std::function<void(const std::string& name, const warc::Header& header)> written;
  std::function<void(const warc::Finding&)> report;
  std::function<void(uint64_t bytes)> progress;  // may be empty
};

struct ExtractReport {
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t left_out = 0;  // damaged records, and payloads that decode to too much
};

// Takes responses, resources and conversions that match. A name that is taken gets the capture's date behind it, and then
// a number: nothing is overwritten. Revisits have no payload of their own and are passed over.
Result<ExtractReport> extract_payloads(io::Files& files, const std::string& archive, const RecordFilter& filter,
                                       const ExtractOptions& options);

}  // namespace caddis::inspect
