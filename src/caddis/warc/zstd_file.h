// The frames of a .warc.zst file that hold no record: its dictionary, and others that readers pass over. Internal to
// the reader.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/io/zstd.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/source.h"

namespace caddis::warc {

// The skippable frames that stand in a row at an offset.
struct SkippedFrames {
  uint64_t end = 0;  // of the last; the offset itself if there is none
  std::unique_ptr<const io::ZstdDictionary> dictionary;
  bool has_dictionary_frame = false;
  std::string problem;  // why there is no dictionary although it has its frame
};

// A frame that reaches beyond the end of the file is left standing.
Result<SkippedFrames> skip_frames(const ByteSource& source, uint64_t offset);

// Findings about a frame that does not tell the size of its content, or has no checksum.
Result<std::vector<Finding>> missing_promises(const ByteSource& source, uint64_t offset);

}  // namespace caddis::warc
