// Walks through a collection's captures in the order of their lines, from either end, and may stand still at any place:
// a search of millions of lines is done in slices between which others get their turn. It holds a line of each source
// and no lock. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/line_source.h"

namespace caddis::cdx {

// Passes each capture on once: lines of one capture in several files have one key and time, but so have other captures
// of the same URL in the same second. Remembers a bounded number of the latter.
class OncePerPlace {
 public:
  bool is_new(const Capture& capture);

 private:
  bool is_new_of_member(const std::string& told, const Capture& capture);

  std::string key_, timestamp_;
  std::unordered_set<size_t> places_;  // hashes of file and offset
};

// The lines of a source at or after `from` and before `to`.
struct ScanPart {
  std::shared_ptr<LineSource> source;
  std::string from, to;
};

class CaptureScan {
 public:
  enum class Direction { forward, backward };
  enum class Found { capture, nothing_yet, end };

  // Adds to `broken` the lines that it passes over, since they cannot be parsed; null: nobody counts them.
  static Result<CaptureScan> start(const std::vector<ScanPart>& parts, Direction direction,
                                   std::shared_ptr<uint64_t> broken = nullptr);

  // Goes to the next capture. What it reads it takes from `budget` (bytes); nothing_yet once that is used up.
  Result<Found> next(uint64_t& budget);
  // Of the capture found, until the next is looked for; the capture may be moved from.
  std::string_view line() const { return given_->cursor->line(); }
  Capture& capture() { return capture_; }
  // Forward only: passes over all lines smaller than `key`.
  Result<void> jump(std::string_view key);

 private:
  struct Reader {
    ScanPart part;
    std::unique_ptr<LineCursor> cursor;
    bool ended = false;
  };
  CaptureScan(Direction direction, std::shared_ptr<uint64_t> broken)
      : direction_(direction), broken_(std::move(broken)) {}
  Reader* first_reader();
  Result<void> advance(Reader& reader);
  void look_for_end(Reader& reader) const;

  Direction direction_;
  std::shared_ptr<uint64_t> broken_;
  std::vector<Reader> readers_;
  Reader* given_ = nullptr;  // whose line was given last
  OncePerPlace once_;
  Capture capture_;
};

}  // namespace caddis::cdx
