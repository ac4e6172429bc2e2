#include "caddis/dedup/section_output.h"

#include "caddis/io/checksum.h"

namespace caddis::dedup {

constexpr size_t kWriteSize = 4 << 20;

Result<void> SectionOutput::append(std::string_view bytes) {
  pending_ += bytes;
  offset_ += bytes.size();
  section_.size += bytes.size();
  section_.checksum = io::crc32(bytes, section_.checksum);
  return pending_.size() < kWriteSize ? Result<void>() : flush();
}

Result<void> SectionOutput::flush() {
  TRY_VOID(file_->append(pending_));
  pending_.clear();
  return {};
}

Result<void> SectionOutput::sync() {
  TRY_VOID(flush());
  return file_->sync();
}

}  // namespace caddis::dedup
