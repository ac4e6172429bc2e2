// Copies an archive file into a new one, record by record, so that some of them may be replaced on the way.
//
// The new file is read back and compared before it gets its name, and nothing is overwritten (warc/archive_file.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/packer.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/record_copy.h"

namespace caddis::revisits {

struct RewriteOptions {
  warc::Compression compression = warc::Compression::small;
  unsigned threads = 1;
  // Errors that concern single records, which are copied all the same.
  std::function<void(const warc::Finding&)> report;
  std::function<void(uint64_t bytes)> progress = {};  // told now and then how much was read since; may be empty
};

struct RewriteReport {
  uint64_t records = 0;
  uint64_t read = 0, written = 0;  // bytes of the files
};

// Copies the record, or adds another in its place. `file` is the one that is read.
using UseRecord = std::function<Result<void>(warc::Record& record, const io::File& file, warc::RecordCopy& copy)>;

// ErrorCode::conflict if `to` is there, unsupported for ARC files, corrupt if the file is damaged: then there is no new
// one. A digest that does not hold is no damage in this sense.
Result<RewriteReport> rewrite_file(io::Files& files, const std::string& from, const std::string& to,
                                   const RewriteOptions& options, const UseRecord& use);

// True for an error that means lost bytes, rather than a digest that does not hold or a flaw that packing anew mends.
bool is_damage(const warc::Finding& finding);
std::unexpected<Error> refuse_arc();
std::unexpected<Error> refuse_damaged(const warc::Finding& damage);

}  // namespace caddis::revisits
