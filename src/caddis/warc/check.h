// Verifies an archive file: structure, gzip checksums and cuts, mandatory fields, block and payload digests.
//
// The payload digest of an HTTP response is by the standard that of the body after transfer decoding; much of what is
// in the world has it over the chunked bytes. Both readings are tried, and the finding says which one holds. Revisit
// records carry the digest of a payload that is elsewhere: it is not verified.
#pragma once

#include <cstdint>
#include <functional>

#include "caddis/base/error.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/source.h"

namespace caddis::warc {

struct CheckSummary {
  uint64_t records = 0;
  uint64_t bytes = 0;    // of all blocks, uncompressed
  uint64_t digests = 0;  // verified
  uint64_t warnings = 0;
  uint64_t errors = 0;
};

// Gives each finding to `report` in the order of the file. An Error only where the source cannot be read.
Result<CheckSummary> check_file(const ByteSource& source, const std::function<void(const Finding&)>& report);

}  // namespace caddis::warc
