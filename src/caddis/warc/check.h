// Verifies archive files: structure, checksums and cuts, mandatory fields, block and payload digests, and how records
// refer to each other.
//
// The payload digest of an HTTP response is by the standard that of the body after transfer decoding; much of what is
// in the world has it over the chunked bytes. Both readings are tried, and the finding says which one holds. Revisit
// records carry the digest of a payload that is elsewhere: it is not verified, but the record with the payload is looked
// for in all the files.
//
//   ArchiveCheck check([](const std::string& file, const Finding& finding) { … });
//   for (…) TRY(const CheckSummary summary, check.file(name, source));
//   check.finish();
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/record_links.h"
#include "caddis/warc/source.h"

namespace caddis::warc {

struct CheckSummary {
  uint64_t records = 0;
  uint64_t bytes = 0;    // of all blocks, uncompressed
  uint64_t digests = 0;  // verified
  uint64_t warnings = 0;
  uint64_t errors = 0;
};

class ArchiveCheck {
 public:
  using Report = std::function<void(const std::string& file, const Finding& finding)>;

  explicit ArchiveCheck(Report report) : report_(std::move(report)) {}

  // Gives each finding in the order of the file. An Error only where the source cannot be read.
  Result<CheckSummary> file(const std::string& name, const ByteSource& source);

  struct Revisits {
    uint64_t all = 0;
    uint64_t unresolved = 0;
  };
  // After the last file: gives a finding for each revisit whose original is in none of them.
  Revisits finish();

 private:
  Report report_;
  RecordLinks links_;
};

// One file alone.
Result<CheckSummary> check_file(const ByteSource& source, const std::function<void(const Finding&)>& report);

}  // namespace caddis::warc
