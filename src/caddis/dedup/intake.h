// Takes up what sources of a digest index tell of captures: leaves out what does not belong, and counts all of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/capture_filter.h"
#include "caddis/dedup/digest_index_writer.h"
#include "caddis/dedup/original.h"

namespace caddis::dedup {

// The fate of the captures of a source.
struct IntakeCounts {
  uint64_t captures = 0;    // all that were seen, and the revisits
  uint64_t originals = 0;   // taken up
  uint64_t witnesses = 0;   // revisits that tell their original, which is taken up
  uint64_t unresolved = 0;  // revisits that do not
  uint64_t other_protocol = 0, other_status = 0, other_type = 0;
  uint64_t without_digest = 0, other_digest = 0;  // none, or of another algorithm than the index has
  uint64_t unreadable = 0;                        // lines and records that make no sense
};

// A capture as a source has it. Borrowed for the call.
struct Capture {
  const Original& original;
  std::string_view digest;  // labelled or not; empty if it is not known
  int status = 0;           // 0 if it is not known
  std::string_view mime;
  std::string_view url_key;  // by the rules of the index, or empty
};

// One thread.
class Intake {
 public:
  using Progress = std::function<void(const IntakeCounts& counts)>;

  Intake(DigestIndexWriter& writer, io::DigestAlgorithm algorithm, CaptureFilter filter, Progress progress)
      : writer_(writer), algorithm_(algorithm), filter_(std::move(filter)), progress_(std::move(progress)) {}

  Result<void> capture(const Capture& capture) { return take(capture, counts_.originals); }
  // The original that a revisit names. `status` and `mime` are those of the revisit.
  Result<void> witness(const Capture& original) { return take(original, counts_.witnesses); }
  // An original of another index, without being filtered.
  Result<void> copy(std::string_view raw_digest, const Original& original);
  void unresolved() { seen(), ++counts_.unresolved; }
  void unreadable() { seen(), ++counts_.unreadable; }
  // For those who read without need of what the filter leaves out.
  bool is_wanted(std::string_view url, int status, std::string_view mime) const {
    return filter_.judge(url, status, mime) == Verdict::taken;
  }

  const IntakeCounts& counts() const { return counts_; }
  void begin_source() { counts_ = {}; }

 private:
  Result<void> take(const Capture& capture, uint64_t& taken);
  Result<void> write(std::string_view raw_digest, const Original& original, std::string_view key, uint64_t& taken);
  void seen();

  DigestIndexWriter& writer_;
  const io::DigestAlgorithm algorithm_;
  const CaptureFilter filter_;
  const Progress progress_;
  IntakeCounts counts_;
};

}  // namespace caddis::dedup
