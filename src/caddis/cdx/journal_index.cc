#include "caddis/cdx/journal_index.h"

#include <algorithm>

#include "caddis/cdx/sorted_file.h"

namespace caddis::cdx {

// One that cannot be opened was joined with others meanwhile, or is damaged: what it covers, and what follows it in the
// same file of the journal, is read from there.
Result<void> JournalIndex::open_segments() {
  TRY(const store::LogParts parts, journal_parts(files_, rest_.path()));
  TRY(const JournalSegments found, find_segments(files_, rest_.path(), parts));
  std::vector<uint64_t> covered(found.covered.size());
  std::vector<Segment> opened;
  for (const JournalSegment& place : found.chain) {
    if (covered[place.part] != place.from) continue;
    const auto known = std::ranges::find(segments_, place.path, [](const Segment& one) { return one.place.path; });
    if (known != segments_.end()) {
      opened.push_back(std::move(*known));
      known->place.path.clear();
    } else {
      auto sorted = SortedFile::open(files_, place.path);
      if (!sorted) continue;
      opened.push_back({place, std::make_shared<FileLines>(*std::move(sorted), rest_.policy())});
    }
    covered[place.part] = place.to;
  }
  segments_ = std::move(opened);
  return {};
}

Result<void> JournalIndex::refresh(std::vector<uint64_t> indexed) {
  const auto is_indexed = [&indexed](const Segment& one) {
    return one.place.part < indexed.size() && one.place.to <= indexed[one.place.part];
  };
  std::erase_if(segments_, is_indexed);
  for (const Segment& one : segments_) {
    indexed.resize(std::max(indexed.size(), one.place.part + 1));
    indexed[one.place.part] = std::max(indexed[one.place.part], one.place.to);
  }
  return rest_.refresh(indexed);
}

void JournalIndex::append_sources(std::vector<std::shared_ptr<LineSource>>& sources) const {
  for (const Segment& one : segments_) sources.push_back(one.lines);
  if (rest_.lines()->size() > 0) sources.push_back(rest_.lines());
}

}  // namespace caddis::cdx
