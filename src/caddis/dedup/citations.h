// The originals that most revisits of a collection refer to, as its indexes tell: by payload.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::dedup {

struct Cited {
  uint64_t revisits = 0;
  std::string digest;  // labelled
  // The earliest response with this payload; empty if the collection has none.
  std::string url, timestamp, filename;
};

// The most cited first. Memory grows with the number of different payloads that have revisits, 64 bytes each.
Result<std::vector<Cited>> most_cited(io::Files& files, const std::string& collection, size_t most);

}  // namespace caddis::dedup
