#include "caddis/dedup/intake.h"

#include "caddis/dedup/payload_digest.h"

namespace caddis::dedup {

constexpr uint64_t kProgressEvery = 1 << 14;  // captures

void Intake::seen() {
  if (++counts_.captures % kProgressEvery == 0 && progress_) progress_(counts_);
}

Result<void> Intake::take(const Capture& capture, uint64_t& taken) {
  const Verdict verdict = filter_.judge(capture.original.url, capture.status, capture.mime);
  if (verdict != Verdict::taken) {
    seen();
    ++(verdict == Verdict::other_protocol ? counts_.other_protocol
       : verdict == Verdict::other_status ? counts_.other_status
                                          : counts_.other_type);
    return {};
  }
  const auto digest = parse_digest(capture.digest);
  if (!digest || digest->algorithm != algorithm_) {
    seen();
    ++(capture.digest.empty() ? counts_.without_digest : digest ? counts_.other_digest : counts_.unreadable);
    return {};
  }
  return write(digest->raw, capture.original, capture.url_key, taken);
}

Result<void> Intake::copy(std::string_view raw_digest, const Original& original) {
  return write(raw_digest, original, {}, counts_.originals);
}

Result<void> Intake::write(std::string_view raw_digest, const Original& original, std::string_view key,
                           uint64_t& taken) {
  seen();
  const auto written = writer_.add(raw_digest, original, key);
  if (!written && written.error().code != ErrorCode::parse) return written;
  ++(written ? taken : counts_.unreadable);
  return {};
}

}  // namespace caddis::dedup
