// The index of one collection: all of `indexes/*.cdxj` and `*.cdx` (sorted files), `*.idx` (ZipNum clusters), the journals of running crawls
// (`crawls/*/state/cdx-journal`) with their segments, and lines held in memory, as one sorted row.
//
// Files that appear, change or vanish are noticed within a second, on the next query. A file that cannot be used is
// left out, and `problems` says so: one that cannot be opened, is no regular file, is not sorted, or whose sibling
// `<file>.meta` names a key policy that cannot be made here. Files may have different policies: each is asked by the
// key of its own. All methods may be called from
// any thread, and none waits for another's search.
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
#include "caddis/cdx/capture_filter.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/journal_index.h"
#include "caddis/cdx/line_source.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"

namespace caddis::cdx {

class CaptureIndex {
 public:
  // `collection` is the folder of the collection; empty for an index that is only in memory.
  CaptureIndex(io::Files& files, const Clock& clock, std::string collection);
  // Another one, as it is seen through a filter. It must not outlive it, nor be given lines.
  CaptureIndex(CaptureIndex& whole, std::shared_ptr<const CaptureFilter> filter);
  // Several as one: each capture says which of them has it. At least one; it must not outlive them, nor be given lines.
  explicit CaptureIndex(std::vector<CaptureIndex*> members);

  // From now on, only what that launch has captured. Before the first search.
  void limit_to(std::string launch) { only_launch_ = std::move(launch); }
  // Tells these of lines that cannot be parsed, in place of some of its own.
  void tell_broken_lines_to(std::shared_ptr<BrokenLines> broken) { broken_->hand_over_to(std::move(broken)); }

  // What there is to search now. Sources stay readable as long as somebody holds them.
  using Sources = std::vector<std::shared_ptr<LineSource>>;
  Result<Sources> sources();

  // False stops the scan. The capture may be moved from.
  using Sink = std::function<bool(std::string_view line, Capture& capture)>;
  // Captures whose line is at or after `from` and before `to`, in order; a capture that several sources hold comes
  // once. Not for what may be large and somebody waits for: see capture_scan.h.
  Result<void> scan(std::string_view from, std::string_view to, const Sink& sink);

  // The captures of a URL; each source is asked by the key that its own policy makes.
  Result<UrlCaptures> captures_of(std::string_view url);
  // The captures that share the key of one that was found here.
  Result<UrlCaptures> captures_like(const Capture& capture);
  // The nearest of these around it, and those at both ends.
  Result<UrlCaptures::Neighbours> neighbours(const Capture& capture);

  // Holds a line in memory.
  void add_line(std::string_view line);
  // Asks this source along with the others. Before the index is shared between threads.
  void add_source(std::shared_ptr<LineSource> source) { added_.push_back(std::move(source)); }

  struct Size {
    uint64_t captures = 0;
    bool exact = true;  // false: large files were estimated from a part
  };
  Result<Size> size();

  // True once a source has been found (or a line was added).
  bool has_sources();
  // Other servers that do not answer, so that their captures are missing; in words for people.
  std::vector<std::string> unanswered() const;
  // Of the files that are left out, in words for people, each with the file's name (not its folder);
  // and what `unanswered` says.
  std::vector<std::string> problems();

 private:
  struct OpenFile {
    uint64_t size = 0;  // as listed
    std::string meta;   // as it was read
    std::shared_ptr<LineSource> lines;
    std::string problem;  // why there are no lines
    bool again = false;   // it may be better the next time
  };

  struct OpenJournal {
    JournalIndex lines;
    std::string index;  // path of the one that is made of it in the end
  };

  Result<Sources> filtered_sources();
  Result<Sources> sources_of_members();
  Result<Size> size_as_seen();
  Result<Size> size_of_members();
  Result<void> refresh();
  Result<void> find_journals();
  Result<void> refresh_files();
  Result<void> refresh_journals();
  OpenFile open_file(const std::string& path, uint64_t size, IndexMeta meta);
  std::vector<uint64_t> indexed_of_journal(const std::string& index_path);
  void publish();

  io::Files& files_;
  const Clock& clock_;
  // Another one, or several, as this one shows them.
  struct View {
    CaptureIndex* whole = nullptr;
    std::shared_ptr<const CaptureFilter> filter;
    std::vector<CaptureIndex*> members;
  };
  const View view_;
  const std::optional<collection::Layout> layout_;  // none: only in memory
  std::string only_launch_;                         // empty: all
  const std::shared_ptr<MemoryLines> memory_ = std::make_shared<MemoryLines>();
  const std::shared_ptr<BrokenLines> broken_ = std::make_shared<BrokenLines>();
  Sources added_;
  // Whoever refreshes; others go on meanwhile with what is published.
  std::mutex refreshing_;
  std::map<std::string, OpenFile> open_;         // by path
  std::map<std::string, OpenJournal> journals_;  // by path
  std::vector<std::string> journal_problems_;
  std::mutex mutex_;  // of what follows; nothing is read from a disk under it
  struct Published {
    std::optional<SteadyTime> at;
    Sources sources;
    std::vector<std::string> problems;
  };
  Published published_;
};

}  // namespace caddis::cdx
