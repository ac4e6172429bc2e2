// Numbers of what archive files hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "caddis/base/error.h"
#include "caddis/warc/source.h"

namespace caddis::inspect {

struct Amount {
  uint64_t records = 0;
  uint64_t bytes = 0;   // of blocks
  uint64_t stored = 0;  // as packed in the files

  void add(uint64_t block_bytes, uint64_t stored_bytes) {
    ++records;
    bytes += block_bytes;
    stored += stored_bytes;
  }
  Amount& operator+=(const Amount& other);
};

class ArchiveStatistics {
 public:
  using Table = std::map<std::string, Amount, std::less<>>;

  // Adds all records of a file; the number of errors that were found in it.
  Result<uint64_t> add_file(const warc::ByteSource& source);
  ArchiveStatistics& operator+=(const ArchiveStatistics& other);

  const Amount& all() const { return all_; }
  const Table& types() const { return types_; }
  // These count responses, revisits and resources.
  const Table& statuses() const { return statuses_; }
  const Table& mimes() const { return mimes_; }
  const Table& hosts() const { return hosts_; }
  // Responses and resources whose payload is that of another one, as their payload digests say: what deduplication
  // would save.
  Amount repeated() const;

 private:
  struct Payload {
    Amount all;
    Amount first;
  };

  Table types_, statuses_, mimes_, hosts_;
  Amount all_;
  std::unordered_map<uint64_t, Payload> payloads_;
};

}  // namespace caddis::inspect
