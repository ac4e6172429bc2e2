// Copies records into another file byte for byte, header and block, and verifies their digests on the way.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/digest.h"
#include "caddis/io/files.h"
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

  // `front` is what has been read of its block. False if the record is damaged or cut, or is large and does not say
  // how long it is, or is longer than it says: it is left out then.
  Result<bool> copy(Record& record, std::string_view front = {}) { return copy(record, record.header_bytes(), front); }
  // The same with another header over the block, which is of the same length.
  Result<bool> copy(Record& record, const std::string& header, std::string_view front);

  // A record that was made anew, without the line ends behind it.
  Result<void> add(std::string record);
  // The same for one that should not be held in memory: `give` gives all of its block, `size` bytes, to what it is called
  // with. ErrorCode::corrupt if it gives more or less: the file is no good then.
  using Sink = std::function<Result<void>(std::string_view piece)>;
  Result<void> add_large(const std::string& header, uint64_t size,
                         const std::function<Result<void>(const Sink&)>& give);

  uint64_t records() const { return records_; }
  uint64_t bytes() const { return bytes_; }      // of headers and blocks
  uint64_t digests() const { return digests_; }  // verified
  // To be held against what is read back; begins anew.
  std::string finish_sum() { return sum_.finish(); }

 private:
  Result<bool> copy_small(Record& record, const std::string& header, std::string_view front);
  Result<bool> copy_large(Record& record, const std::string& header, std::string_view front);
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
// Holds what was written, and is not committed yet, against what was meant. ErrorCode::corrupt if it is something else.
Result<void> check_written(io::Files& files, const ArchiveFile& out, uint64_t records, const std::string& sum);

// Flaws of how a file is packed: records lose nothing by them, and packing anew mends them.
bool is_mended_by_packing(std::string_view code);

}  // namespace caddis::warc
