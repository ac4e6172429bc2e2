#include "caddis/warc/input.h"

#include <algorithm>
#include <cstring>

#include "caddis/base/check.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

// A unit whose data fits is unpacked in one go; larger ones are streamed in steps.
constexpr size_t kWholeUnit = 1 << 20;
constexpr size_t kStreamStep = 128 * 1024;
// Compressed bytes that should be at hand before a unit is tried in one go.
constexpr size_t kTryWhole = 64 * 1024;

}  // namespace

Input::Input(const ByteSource& source, size_t read_size)
    : source_(source), read_size_(std::max<size_t>(read_size, 4096)) {}

void Input::move_window(uint64_t offset) {
  if (offset >= raw_offset_ && offset <= raw_offset_ + raw_end_) {
    raw_begin_ = static_cast<size_t>(offset - raw_offset_);
  } else {
    raw_offset_ = offset;
    raw_begin_ = raw_end_ = 0;
  }
}

Result<bool> Input::seek(uint64_t offset, Packing packing) {
  TRY(file_size_, source_.size());
  move_window(offset);
  packing_ = packing;
  ended_ = offset >= file_size_;
  streaming_ = false;
  unit_offset_ = offset;
  unit_bytes_ = 0;
  damage_.reset();
  only_trailer_wrong_ = false;
  begin_ = end_ = 0;
  position_ = is_packed(packing_) ? 0 : offset;
  if (is_packed(packing_) && inflated_ == nullptr) {
    inflated_capacity_ = kWholeUnit;
    inflated_ = std::make_unique_for_overwrite<char[]>(inflated_capacity_);
  }
  if (is_packed(packing_)) {
    out_ = inflated_.get();
  } else {
    TRY_VOID(fill_raw(1));
    out_ = raw_.get();
    begin_ = raw_begin_;
    end_ = raw_end_;
  }
  return !ended_;
}

Result<std::string_view> Input::peek(uint64_t offset, size_t size) {
  if (offset >= raw_offset_ && offset + size <= raw_offset_ + raw_end_) {
    return std::string_view(raw_.get() + (offset - raw_offset_), size);
  }
  peeked_.resize(size);
  TRY(const size_t n, source_.read_at(offset, peeked_.data(), size));
  peeked_.resize(n);
  return std::string_view(peeked_);
}

Result<void> Input::fill_raw(size_t size) {
  if (raw_end_ - raw_begin_ >= size) return {};
  const size_t capacity = std::max(read_size_, size);
  if (raw_capacity_ < capacity) {
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (raw_end_ > raw_begin_) std::memcpy(larger.get(), raw_.get() + raw_begin_, raw_end_ - raw_begin_);
    raw_ = std::move(larger);
    raw_capacity_ = capacity;
  } else if (raw_begin_ > 0 && raw_end_ > raw_begin_) {
    std::memmove(raw_.get(), raw_.get() + raw_begin_, raw_end_ - raw_begin_);
  }
  raw_offset_ += raw_begin_;
  raw_end_ -= raw_begin_;
  raw_begin_ = 0;
  while (raw_end_ < size) {
    TRY(const size_t n, source_.read_at(raw_offset_ + raw_end_, raw_.get() + raw_end_, raw_capacity_ - raw_end_));
    if (n == 0) break;
    raw_end_ += n;
  }
  return {};
}

Result<bool> Input::more() {
  if (ended_) return false;
  return is_packed(packing_) ? more_packed() : more_plain();
}

Result<bool> Input::more_plain() {
  const size_t unread = end_ - begin_;
  raw_begin_ = begin_;
  // Twice what is unread at least: a header that grows piece by piece is then moved a few times only.
  TRY_VOID(fill_raw(std::max(unread * 2, unread + 1)));
  out_ = raw_.get();
  begin_ = raw_begin_;
  end_ = raw_end_;
  ended_ = end_ - begin_ == unread;
  return !ended_;
}

void Input::make_room(size_t size) {
  const size_t unread = end_ - begin_;
  if (unread + size > inflated_capacity_) {
    inflated_capacity_ = std::max(inflated_capacity_ * 2, unread + size);
    auto larger = std::make_unique_for_overwrite<char[]>(inflated_capacity_);
    std::memcpy(larger.get(), out_ + begin_, unread);
    inflated_ = std::move(larger);
    out_ = inflated_.get();
  } else if (unread > 0 && begin_ > 0) {
    std::memmove(out_, out_ + begin_, unread);
  }
  begin_ = 0;
  end_ = unread;
}

bool Input::take_whole_unit() {
  const auto whole = decoder_.whole(raw(), {out_, kWholeUnit});
  if (!whole) return false;
  raw_begin_ += whole->consumed;
  unit_bytes_ = whole->consumed;
  begin_ = 0;
  end_ = whole->written;
  ended_ = true;
  return true;
}

Result<bool> Input::extend() {
  const uint64_t at = unit_offset_ + unit_bytes_;
  TRY(const std::string_view front, peek(at, 4));
  if (packing_ != Packing::zstd || damage_ || !looks_like_unit(packing_, front)) return false;
  move_window(at);
  ended_ = false;
  streaming_ = true;
  decoder_.begin(packing_, unit_bytes_);
  return true;
}

Result<bool> Input::more_packed() {
  if (!streaming_) {
    decoder_.begin(packing_);
    TRY_VOID(fill_raw(std::min(kTryWhole, read_size_)));
    if (take_whole_unit()) return end_ > 0;
    // Most that fail are only longer than what the window happens to hold.
    const size_t had = raw().size();
    TRY_VOID(fill_raw(read_size_));
    if (raw().size() > had && take_whole_unit()) return end_ > 0;
    streaming_ = true;
  }
  make_room(kStreamStep);
  const size_t before = end_;
  while (end_ == before && !ended_) {
    TRY_VOID(fill_raw(1));
    std::string_view input = raw();
    const size_t offered = input.size();
    auto step = decoder_.step(input, {out_ + end_, inflated_capacity_ - end_});
    raw_begin_ += offered - input.size();
    unit_bytes_ = decoder_.bytes();
    if (!step) {
      end_ += decoder_.damaged_output();
      only_trailer_wrong_ = decoder_.only_trailer_wrong();
      damage_ = std::move(step).error();
      ended_ = true;
    } else {
      end_ += step->written;
      if (step->end) ended_ = true;
      if (!ended_ && offered == 0 && step->written == 0) {
        damage_ = Error{ErrorCode::corrupt, fmt::format("the file ends inside the {}, after {} bytes of it",
                                                        unit_name(packing_), unit_bytes_)};
        ended_ = true;
      }
    }
  }
  return end_ > before;
}

Result<void> Input::want(size_t size) {
  while (ready().size() < size) {
    TRY(const bool came, more());
    if (!came) break;
  }
  return {};
}

Result<bool> Input::skip(uint64_t size) {
  if (!is_packed(packing_) && size > ready().size()) {
    const uint64_t to = position_ + size;
    TRY_VOID(seek(std::min(to, file_size_), packing_));
    return to <= file_size_;
  }
  while (size > 0) {
    const size_t n = static_cast<size_t>(std::min<uint64_t>(size, ready().size()));
    consume(n);
    size -= n;
    if (size == 0) break;
    TRY(const bool came, more());
    if (!came) return false;
  }
  return true;
}

}  // namespace caddis::warc
