// Bytes that grow at their end, with room that may be written to before it counts: a socket reads straight into it. (A
// std::string would have to fill that room with zeros first.)
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace caddis::io {

class ByteBuffer {
 public:
  ByteBuffer() = default;
  // Who is moved from is empty.
  ByteBuffer(ByteBuffer&& other) noexcept { *this = std::move(other); }
  ByteBuffer& operator=(ByteBuffer&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  std::string_view view() const { return {bytes_.get(), size_}; }

  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    auto grown = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) std::memcpy(grown.get(), bytes_.get(), size_);
    bytes_ = std::move(grown);
    capacity_ = capacity;
  }
  void append(std::string_view bytes) {
    if (bytes.empty()) return;
    if (bytes.size() > capacity_ - size_) reserve(std::max(2 * capacity_, size_ + bytes.size()));
    std::memcpy(bytes_.get() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  // What is free behind the last byte; `filled` makes the first `count` of it count.
  std::span<char> room() { return {bytes_.get() + size_, capacity_ - size_}; }
  void filled(size_t count) { size_ += count; }
  void clear() { size_ = 0; }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace caddis::io
