// The index of one collection: all of `indexes/*.cdxj` and `*.cdx` (sorted files), the journals of running crawls
// (`crawls/*/state/cdx-journal`), and lines held in memory, as one sorted row.
//
// Files that appear, change or vanish are noticed within a second, on the next query. A file whose sibling
// `<file>.meta` names another key policy than ia-surt is refused, as its keys could not be found. All methods may be
// called from any thread; one query runs at a time (a lookup takes some ten microseconds).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line_source.h"
#include "caddis/io/files.h"

namespace caddis::cdx {

class CaptureIndex {
 public:
  // `collection` is the folder of the collection; empty for an index that is only in memory.
  CaptureIndex(io::Files& files, const Clock& clock, std::string collection);

  // False stops the scan. The capture may be moved from.
  using Sink = std::function<bool(std::string_view line, Capture& capture)>;
  // Captures whose line is at or after `from` and before `to`, in order; a capture that several sources hold comes
  // once.
  Result<void> scan(std::string_view from, std::string_view to, const Sink& sink);
  // Up to `limit` captures of a key, nearest to `timestamp` (digits) first; of two equally near the earlier first.
  Result<std::vector<Capture>> closest(std::string_view urlkey, std::string_view timestamp, size_t limit);

  // The captures of a key at both ends and on both sides of `timestamp` (those at exactly that time are neither
  // previous nor next).
  struct Neighbours {
    std::optional<Capture> first, previous, next, last;
  };
  Result<Neighbours> neighbours(std::string_view urlkey, std::string_view timestamp);

  // Holds a line in memory.
  void add_line(std::string_view line);

  struct Size {
    uint64_t captures = 0;
    bool exact = true;  // false: large files were estimated from a part
  };
  Result<Size> size();

  // True once a source has been found (or a line was added).
  bool has_sources();

 private:
  struct OpenFile {
    uint64_t size = 0;  // as listed
    std::unique_ptr<FileLines> lines;
  };

  Result<void> refresh();
  Result<void> refresh_files();
  Result<void> refresh_journals();
  std::vector<uint64_t> indexed_of_journal(std::string_view launch);
  std::vector<LineSource*> sources();

  io::Files& files_;
  const Clock& clock_;
  std::string collection_;
  std::mutex mutex_;
  SteadyTime refreshed_{};
  bool ever_refreshed_ = false;
  std::map<std::string, OpenFile> open_;  // by path; refused files have no lines
  std::map<std::string, JournalReader> journals_;
  MemoryLines memory_;
};

// Seconds between two timestamps; a short or broken one stands for the first instant that it names.
long long timestamp_distance(std::string_view a, std::string_view b);

}  // namespace caddis::cdx
