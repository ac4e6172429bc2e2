#include "caddis/dedup/table_builder.h"

#include <bit>

#include "caddis/dedup/bytes.h"

namespace caddis::dedup {
namespace {

constexpr uint64_t kPerBucket = 16;
constexpr size_t kHashAt = kPrefixSize, kDateAt = kHashAt + 4, kOrdinalAt = kDateAt + 8, kRowSize = kOrdinalAt + 4;

unsigned bits_for(uint64_t entries) {
  unsigned bits = kLeastBuckets;
  while (bits < kMostBuckets && entries >> bits > kPerBucket) ++bits;
  return bits;
}

// Big-endian, so that bytes compare as numbers do.
template <class Number>
void put_ordered(std::string& out, Number number) {
  put_number(out, std::byteswap(number));
}

}  // namespace

std::string table_row(std::string_view digest, uint32_t key_hash, int64_t date, uint32_t ordinal) {
  std::string row(digest.substr(0, kPrefixSize));
  put_ordered(row, key_hash);
  put_ordered(row, static_cast<uint64_t>(date) ^ 1ULL << 63);
  put_ordered(row, ordinal);
  return row;
}

uint32_t bucket_of(std::string_view digest, unsigned bucket_bits) {
  return std::byteswap(get_number<uint32_t>(digest.data())) >> (32 - bucket_bits);
}

TableBuilder::TableBuilder(SectionOutput& output, uint64_t entries)
    : output_(output), bucket_bits_(bits_for(entries)), buckets_(1ULL << bucket_bits_) {}

Result<void> TableBuilder::add(std::string_view row) {
  if (originals_ > 0 && row.substr(0, kPrefixSize) != std::string_view(earliest_).substr(0, kPrefixSize))
    TRY_VOID(end_digest());
  const auto date_of = [](std::string_view one) { return one.substr(kDateAt, kOrdinalAt - kDateAt); };
  if (originals_++ == 0 || date_of(row) < date_of(earliest_)) earliest_ = row;
  return write(row);
}

Result<void> TableBuilder::finish() { return originals_ > 0 ? end_digest() : Result<void>(); }

Result<void> TableBuilder::end_digest() {
  ++digests_;
  const uint64_t originals = originals_;
  originals_ = 0;
  return originals > 1 ? write(earliest_) : Result<void>();
}

Result<void> TableBuilder::write(std::string_view row) {
  if (entries_ == UINT32_MAX)
    return fail(ErrorCode::limit, "more than 4 billion entries in one digest index; make several");
  std::string entry(row.substr(1, kPrefixSize - 1));
  put_number(entry, std::byteswap(get_number<uint32_t>(row.data() + kHashAt)));
  put_number(entry, std::byteswap(get_number<uint32_t>(row.data() + kOrdinalAt)));
  ++buckets_[bucket_of(row, bucket_bits_)];
  ++entries_;
  static_assert(kRowSize == 28 && kTableEntrySize == kPrefixSize - 1 + 4 + 4);
  return output_.append(entry);
}

std::string TableBuilder::bucket_ends() const {
  std::string ends;
  ends.reserve(buckets_.size() * sizeof(uint32_t));
  uint32_t end = 0;
  for (const uint32_t size : buckets_) put_number(ends, end += size);
  return ends;
}

}  // namespace caddis::dedup
