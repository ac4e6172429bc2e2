#include "simweb/serve/sending.h"

#include <algorithm>
#include <array>
#include <limits>

namespace simweb {
namespace {

constexpr size_t max_pieces = 256;
constexpr size_t max_turn = 1024 * 1024;

}  // namespace

Sending::Sending(std::unique_ptr<Answer> answer, uint64_t body_limit, bool again)
    : answer_(std::move(answer)), again_(again && answer_->body_size > 0) {
  const uint64_t body = again_ ? std::numeric_limits<int64_t>::max() : answer_->body_size;
  const uint64_t allowed = std::min(body_limit, body);
  left_ = answer_->head.size() + allowed;
  held_ = body - allowed;
}

bool Sending::allow(uint64_t bytes) {
  const uint64_t more = std::min(bytes, held_);
  left_ += more;
  held_ -= more;
  return more > 0;
}

void Sending::advance(size_t bytes) {
  left_ -= bytes;
  if (left_ == 0 && held_ == 0) return;
  while (bytes > 0) {
    const size_t here = piece(index_).size() - offset_;
    if (bytes < here) {
      offset_ += bytes;
      return;
    }
    bytes -= here;
    offset_ = 0;
    if (++index_ > answer_->body.size() && again_) index_ = 1;
  }
}

size_t Sending::copy(std::span<char> into) {
  size_t copied = 0;
  while (copied < into.size() && left_ > 0) {
    if (index_ > answer_->body.size()) {
      if (!again_) break;
      index_ = 1;
    }
    const std::string_view here = piece(index_).substr(offset_);
    const size_t size = std::min<uint64_t>({here.size(), into.size() - copied, left_});
    std::copy_n(here.data(), size, into.data() + copied);
    copied += size;
    left_ -= size;
    offset_ += size;
    if (offset_ < piece(index_).size()) continue;
    offset_ = 0;
    ++index_;
  }
  return copied;
}

Transport::State Sending::send(Transport& transport) {
  size_t sent = 0;
  while (left_ > 0 && sent < max_turn) {
    std::array<iovec, max_pieces> pieces;
    size_t count = 0;
    uint64_t left = left_;
    size_t offset = offset_;
    for (size_t index = index_; count < max_pieces && left > 0; ++index) {
      if (index > answer_->body.size()) {
        if (!again_) break;
        index = 1;
      }
      const std::string_view bytes = piece(index).substr(offset, left);
      offset = 0;
      if (bytes.empty()) continue;
      left -= bytes.size();
      pieces[count++] = {const_cast<char*>(bytes.data()), bytes.size()};
    }
    if (count == 0) break;
    const Transport::Moved moved = transport.write({pieces.data(), count});
    if (moved.state != Transport::State::ok) return moved.state;
    sent += moved.bytes;
    advance(moved.bytes);
  }
  return Transport::State::ok;
}

}  // namespace simweb
