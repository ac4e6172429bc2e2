#include "caddis/logs/log_follower.h"

#include <algorithm>
#include <iterator>

#include "caddis/io/text_lines.h"
#include "caddis/logs/log_files.h"

namespace caddis::logs {
namespace {

constexpr size_t kBlock = 1 << 20;

}  // namespace

Result<bool> LogFollower::read_part(const std::function<void(std::string_view line)>& use) {
  const auto opened = files_.open_read(part_);
  if (!opened && opened.error().code == ErrorCode::not_found) return false;  // not begun, or packed meanwhile
  if (!opened) return std::unexpected(opened.error());
  const io::File* const file = opened->get();
  TRY(const uint64_t size, file->size());
  if (size < offset_) {
    offset_ = size;
    rest_.clear();
  }
  bool any = false;
  while (offset_ < size) {
    const size_t before = rest_.size();
    rest_.resize(before + std::min<uint64_t>(kBlock, size - offset_));
    TRY(const size_t got, file->read_at(offset_, rest_.data() + before, rest_.size() - before));
    rest_.resize(before + got);
    offset_ += got;
    if (got == 0) break;
    std::string_view left = rest_;
    for (size_t end; (end = left.find('\n')) != std::string_view::npos; left.remove_prefix(end + 1)) {
      use(left.substr(0, end));
      any = true;
    }
    rest_.erase(0, rest_.size() - left.size());
  }
  return any;
}

// The lines of a part that were not given before it was packed.
Result<bool> LogFollower::read_packed(const std::string& path, const std::function<void(std::string_view line)>& use) {
  const uint64_t given = offset_ - rest_.size();
  TRY(const auto lines, io::TextLines::open(files_, path));
  uint64_t at = 0;
  bool any = false;
  for (;;) {
    TRY(const auto line, lines->next());
    if (!line) return any;
    if (at >= given) {
      use(*line);
      any = true;
    }
    at += line->size() + 1;
  }
}

Result<bool> LogFollower::read(const std::function<void(std::string_view line)>& use) {
  TRY(const bool any, read_part(use));
  if (any) return true;
  TRY(const auto parts, files_of_log(files_, log_));
  auto here = std::ranges::find(parts, part_);
  const bool is_packed = here == parts.end();
  if (is_packed) here = std::ranges::find(parts, part_ + ".gz");
  if (here == parts.end() || std::next(here) == parts.end()) return false;
  // Lines may have come between the look into this file and the begin of the next one. None come from now on.
  TRY(const bool any_left, is_packed ? read_packed(*here, use) : read_part(use));
  part_ = *std::next(here);
  offset_ = 0;
  rest_.clear();
  TRY(const bool any_next, read_part(use));
  return any_left || any_next;
}

}  // namespace caddis::logs
