// Sorted segments of a journal: files that hold the lines of one part of it each, so that whoever reads the index of a
// crawl that runs has no more than the rest in memory (docs/formats/cdxj.md).
//
//   <journal>.segments/<file>@<from>-<to>-<size>.cdxj     "cdx-journal@0-67108921-67100034.cdxj"
//
// `from` and `to` are bytes of a file of the journal, both at the end of a line; `size` is that of the segment. So a
// segment is wholly determined by its name and the journal. One that is lost, or has another size than its name says,
// counts for nothing, and is made anew. Eight of about the same size are joined into one.
//
// A crawl makes them; others may read at any time, but a segment that was joined vanishes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/streams.h"

namespace caddis::cdx {

struct JournalSegment {
  std::string path;
  size_t part = 0;  // which file of the journal
  uint64_t from = 0, to = 0;
};

struct JournalSegments {
  std::vector<JournalSegment> chain;  // those that follow each other from the beginning of each file, in order
  std::vector<uint64_t> covered;      // bytes of each file of the journal that are in them
  std::vector<std::string> others;    // files of the folder that nobody needs
};

std::string segments_folder(const std::string& journal);
// The files of a journal with their sizes, for those who do not have its crawl's store.
Result<store::LogParts> journal_parts(io::Files& files, const std::string& journal);
// `parts`: the files of the journal, each as long as its lines count. What leads beyond that is none of its segments.
Result<JournalSegments> find_segments(io::Files& files, const std::string& journal, const store::LogParts& parts);

// ---- for the crawl that writes the journal

struct SegmentLimits {
  uint64_t size = 64 << 20;   // bytes of the journal that wait for a segment, at least
  size_t memory = 16u << 20;  // bytes of lines sorted at once
};

// Removes what is left in the folder of segments that are none. To be called before the journal grows: a journal that
// was cut must not grow again to where its former segments led.
Result<void> drop_segments(io::Files& files, const std::string& journal, const store::LogParts& parts);
// Makes the next segment, or joins some. Returns false if there was nothing to do.
Result<bool> extend_segments(io::Files& files, const std::string& journal, const store::LogParts& parts,
                             const SegmentLimits& limits = {});
// Writes the index of all of the journal, sorted: its segments are merged with what came behind them. Returns the number
// of lines.
Result<uint64_t> merge_segments(io::Files& files, const std::string& journal, const store::LogParts& parts,
                                const std::string& output, size_t memory);
// The index is there: nobody needs them any more.
Result<void> remove_segments(io::Files& files, const std::string& journal);

}  // namespace caddis::cdx
