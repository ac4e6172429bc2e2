#include "caddis/cdx/sorted_file.h"

#include <algorithm>

#include "caddis/cdx/line.h"

namespace caddis::cdx {

Result<std::unique_ptr<SortedFile>> SortedFile::open(io::Files& files, const std::string& path) {
  auto sorted = std::unique_ptr<SortedFile>(new SortedFile);
  TRY(sorted->file_, files.open_read(path));
  TRY(sorted->size_, sorted->file_->size());
  sorted->path_ = path;
  sorted->cache_.resize(kCachedBlocks);
  std::string first;
  TRY(const uint64_t behind, sorted->read_line(0, first));
  if (first.starts_with(' ')) {
    sorted->header_ = std::move(first);
    sorted->begin_ = behind;
  }
  return sorted;
}

Result<SortedFile::Block> SortedFile::block(uint64_t number) {
  Slot& slot = cache_[number % kCachedBlocks];
  {
    const std::scoped_lock lock(mutex_);
    if (slot.number == number) return slot.bytes;
  }
  auto bytes = std::make_shared<std::string>(kBlock, '\0');
  auto read = file_->read_at(number * kBlock, bytes->data(), kBlock);
  if (!read) return pass(std::move(read).error(), path_);
  bytes->resize(*read);
  const std::scoped_lock lock(mutex_);
  slot = {number, std::move(bytes)};
  return slot.bytes;
}

Result<uint64_t> SortedFile::read_line(uint64_t offset, std::string& line) {
  line.clear();
  while (offset < size_) {
    TRY(const Block held, block(offset / kBlock));
    std::string_view bytes = *held;
    bytes = bytes.substr(std::min<size_t>(offset % kBlock, bytes.size()));
    bytes = bytes.substr(0, static_cast<size_t>(std::min<uint64_t>(bytes.size(), size_ - offset)));
    if (bytes.empty()) return fail(ErrorCode::corrupt, path_ + ": became shorter while it was read");
    const size_t end = bytes.find('\n');
    line.append(bytes.substr(0, end));
    if (end != std::string_view::npos) return offset + end + 1;
    offset += bytes.size();
    if (line.size() > kMaxLine)
      return fail(ErrorCode::corrupt, path_ + ": a line longer than 4 MiB; is this an index?");
  }
  return size_;
}

// The beginning of the first line at or behind `offset`.
Result<uint64_t> SortedFile::line_start_from(uint64_t offset) {
  if (offset <= begin_) return begin_;
  for (uint64_t at = offset - 1; at < size_;) {
    TRY(const Block held, block(at / kBlock));
    std::string_view bytes = *held;
    bytes = bytes.substr(std::min<size_t>(at % kBlock, bytes.size()));
    if (bytes.empty()) break;
    const size_t end = bytes.find('\n');
    if (end != std::string_view::npos) return std::min(size_, at + end + 1);
    at += bytes.size();
  }
  return size_;
}

Result<uint64_t> SortedFile::lower_bound(std::string_view key) {
  uint64_t low = begin_;  // beginning of a line; all lines before it are smaller than `key`
  uint64_t high = size_;  // lines that begin here or later are not smaller
  std::string line;
  while (high - low > kBlock) {
    TRY(const uint64_t middle, line_start_from(low + (high - low) / 2));
    if (middle >= high) {
      high = low + (high - low) / 2;
      continue;
    }
    TRY(const uint64_t next, read_line(middle, line));
    if (line < key)
      low = next;
    else
      high = middle;
  }
  while (low < size_) {
    TRY(const uint64_t next, read_line(low, line));
    if (line >= key) return low;
    low = next;
  }
  return size_;
}

Result<uint64_t> SortedFile::line_before(uint64_t offset) {
  if (offset <= begin_) return fail(ErrorCode::not_found, "no line before the first");
  for (uint64_t back = 512;; back *= 4) {
    if (offset - begin_ <= back) back = offset - begin_;
    TRY(uint64_t at, line_start_from(offset - back));
    if (at < offset) {
      std::string line;
      for (;;) {
        TRY(const uint64_t next, read_line(at, line));
        if (next >= offset) return at;
        at = next;
      }
    }
  }
}

std::unexpected<Error> SortedFile::disorder(uint64_t offset) const {
  return fail(ErrorCode::corrupt,
              path_ + " is not sorted (at byte " + std::to_string(offset) +
                  "), so that captures in it would not be found: sort it with LC_ALL=C sort, or index its archive "
                  "files anew (caddis index add)");
}

Result<void> SortedFile::check_order() {
  constexpr uint64_t kWhole = 512 * 1024, kPlaces = 64;
  std::string line, before;
  for (uint64_t at = begin_; at < size_ && at - begin_ < kWhole; before.swap(line)) {
    const uint64_t start = at;
    TRY(at, read_line(at, line));
    if (line < before) return disorder(start);
  }
  before.clear();
  for (uint64_t place = 0; place < kPlaces; ++place, before.swap(line)) {
    TRY(const uint64_t at, line_start_from(begin_ + (size_ - begin_) / kPlaces * place));
    if (at >= size_) break;
    TRY_VOID(read_line(at, line));
    if (line < before) return disorder(at);
  }
  return {};
}

}  // namespace caddis::cdx
