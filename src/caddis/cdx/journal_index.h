// The journal of a crawl that runs, to be searched: its segments on the disk (journal_segments.h), and what came behind
// them in memory. Not thread-safe, but for the sources that it gives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/journal_segments.h"
#include "caddis/cdx/line_source.h"
#include "caddis/io/files.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

class JournalIndex {
 public:
  JournalIndex(io::Files& files, const std::string& path, const url::KeyPolicy& policy)
      : files_(files), rest_(files, path, policy) {}

  // Opens the segments that there are. To be called before the collection's indexes are looked for: when its crawl ends,
  // the index appears first, and then the segments vanish.
  Result<void> open_segments();
  // Takes up what is in none of them, and in no index: that holds `indexed` bytes of each of the journal's files.
  Result<void> refresh(std::vector<uint64_t> indexed);

  void append_sources(std::vector<std::shared_ptr<LineSource>>& sources) const;
  const url::KeyPolicy& policy() const { return rest_.policy(); }

 private:
  struct Segment {
    JournalSegment place;
    std::shared_ptr<FileLines> lines;
  };

  io::Files& files_;
  JournalReader rest_;
  std::vector<Segment> segments_;
};

}  // namespace caddis::cdx
