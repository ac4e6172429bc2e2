// Copies records into another file byte for byte, header and block, and verifies their digests on the way.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/digest.h"
#include "caddis/warc/archive_file.h"
#include "caddis/warc/digest_check.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/reader.h"

namespace caddis::warc {

// One digest for a row of records, of which some may be given up half way.
class RecordSum {
 public:
  void update(std::string_view bytes) { record_.update(bytes); }
  // The record counts, or does not.
  void keep() { all_.update(record_.finish()); }
  void drop() { (void)record_.finish(); }
  std::string finish() { return all_.finish(); }

 private:
  io::Sha256 record_, all_;
};

class RecordCopy {
 public:
  // Both must outlive it. The reader whose records come must keep headers (ReaderOptions::keep_headers).
  RecordCopy(ArchiveFile& out, const std::function<void(const Finding&)>& report);
  RecordCopy(const RecordCopy&) = delete;
  RecordCopy& operator=(const RecordCopy&) = delete;

  // `front` is what has been read of its block. False if the record is damaged or cut: it is left out then.
  Result<bool> copy(Record& record, std::string_view front = {});

  uint64_t records() const { return records_; }
  uint64_t bytes() const { return bytes_; }      // of headers and blocks
  uint64_t digests() const { return digests_; }  // verified
  // To be held against what is read back; begins anew.
  std::string finish_sum() { return sum_.finish(); }

 private:
  Result<bool> copy_small(Record& record, std::string_view front);
  Result<bool> copy_large(Record& record, std::string_view front);
  ArchiveFile& out_;
  uint64_t offset_ = 0;
  DigestCheck check_;
  RecordSum sum_;
  uint64_t records_ = 0, bytes_ = 0, digests_ = 0;
};

// The sum of the records of a file.
struct ReadBack {
  uint64_t records = 0;
  std::string sum;
  std::vector<Finding> findings;
};
Result<ReadBack> read_back(const ByteSource& source);

}  // namespace caddis::warc
