// Makes the table of a digest index out of its entries in order: nineteen bytes each, and for each beginning of a digest
// where its entries end.
//
// A digest with several originals ends with its earliest once more, so that it is found without looking at all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/section_output.h"

namespace caddis::dedup {

// One original of a digest, as a row that sorts by digest, key hash, date and ordinal.
std::string table_row(std::string_view digest, uint32_t key_hash, int64_t date, uint32_t ordinal);

// One thread.
class TableBuilder {
 public:
  // Buckets for about `entries`.
  TableBuilder(SectionOutput& output, uint64_t entries);

  // Rows of table_row in ascending order.
  Result<void> add(std::string_view row);
  Result<void> finish();

  unsigned bucket_bits() const { return bucket_bits_; }
  uint64_t entries() const { return entries_; }
  uint64_t digests() const { return digests_; }
  // The ends of all buckets, as bytes.
  std::string bucket_ends() const;

 private:
  Result<void> end_digest();
  Result<void> write(std::string_view row);

  SectionOutput& output_;
  unsigned bucket_bits_;
  std::vector<uint32_t> buckets_;  // how many entries each has
  uint64_t entries_ = 0, digests_ = 0;
  std::string earliest_;    // row of the present digest
  uint64_t originals_ = 0;  // of it
};

// The bucket of a digest.
uint32_t bucket_of(std::string_view digest, unsigned bucket_bits);

}  // namespace caddis::dedup
