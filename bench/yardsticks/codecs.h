// What libraries that we did not write need for the bytes of a sample: digests, compression, copies.
#pragma once

#include <cstdint>

#include "yardsticks/sample.h"

namespace yardsticks {

// Seconds for the whole sample.
struct CodecTimes {
  double sha1 = 0;        // OpenSSL: every block, and every payload
  double gzip_fast = 0;   // ISA-L level 1, a member a record; packed records are only stored, with their CRC-32
  double gzip_small = 0;  // libdeflate level 6, the same
  double gunzip = 0;      // libdeflate, coded payloads
  double copy = 0;        // memcpy of what came over the network
  double scan = 0;        // memchr for '<' over the decoded HTML: no tokenizer is faster
  double decrypt = 0;     // AES-256-GCM of what came over the network, in records of 16 KB
  double write = 0;       // write(2) of the members made by gzip_fast, fdatasync(2) every 4 MB
  uint64_t fast_bytes = 0, small_bytes = 0;
};

// `seconds`: about how long each may take; `folder`: where a file may be written and removed again.
caddis::Result<CodecTimes> measure_codecs(const Sample& sample, double seconds, const std::string& folder);

}  // namespace yardsticks
