// Lines that a client sends, taken into an index piece by piece: CDX with 9, 10, 11 and 14 fields, CDXJ, and
// "@alias <URL> <URL of the captures>". What is sent is committed in parts of some thousand lines, each as a whole or not
// at all, so that a body of any size takes bounded memory; a small one is one part.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/cdx/capture_store.h"

namespace caddis::cdxserver {

struct IntakeOptions {
  bool is_deletion = false;
  bool skip_bad = false;        // lines that are none are counted, not refused
  bool makes_keys = true;       // of the URLs, by the policy of the index; false: lines have the right ones
  size_t part_lines = 16'384;   // a part has so many lines,
  size_t part_bytes = 8 << 20;  // or so many bytes
};

class LineIntake {
 public:
  LineIntake(cdx::CaptureStore& store, const IntakeOptions& options)
      : store_(store), options_(options), writer_(store) {}

  // An error ends it: the line, what is wrong with it, and which lines before it are in the index.
  Result<void> take(std::string_view piece);
  Result<void> finish();

  uint64_t taken() const { return taken_; }      // committed
  uint64_t skipped() const { return skipped_; }  // that were none

 private:
  Result<void> take_line(std::string_view line);
  Result<void> use_line(std::string_view line);
  Result<void> use_alias(std::string_view line);
  Result<void> commit();

  cdx::CaptureStore& store_;
  const IntakeOptions options_;
  cdx::CaptureWriter writer_;
  std::string rest_;        // a line that does not end yet
  std::string cdx_header_;  // " CDX N b a …"; empty if none came
  uint64_t number_ = 0;     // of the line
  uint64_t committed_lines_ = 0;
  uint64_t held_ = 0, taken_ = 0, skipped_ = 0;
};

}  // namespace caddis::cdxserver
