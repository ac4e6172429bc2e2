// The parts of an archived block that tell of its payload: the head of the HTTP message, and the payload's digest.
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/warc/reader.h"

namespace caddis::dedup {

struct ArchiveBlock {
  std::string http_head;  // empty if it is no HTTP message
  std::string digest;     // labelled; computed only if it was wanted
};

// Reads the block of a record as far as is needed: to its end if the digest is wanted.
Result<ArchiveBlock> read_archive_block(warc::Record& record, bool wants_digest);

}  // namespace caddis::dedup
