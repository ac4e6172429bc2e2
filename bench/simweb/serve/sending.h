// An answer on its way: which of its bytes have gone, and which go now. Knows nothing of time and connections.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "simweb/serve/transport.h"
#include "simweb/world/answer.h"

namespace simweb {

class Sending {
 public:
  // Head and `body_limit` bytes of the body; with `again`, the body over and over.
  Sending(std::unique_ptr<Answer> answer, uint64_t body_limit, bool again);

  // Hands bytes to the transport until all that may go has gone (ok), it is blocked or closed, or a good deal has been
  // sent and others should have their turn (ok, and not done).
  Transport::State send(Transport& transport);
  // Copies what goes next, as if a transport had taken it. 0: all that may go has gone.
  size_t copy(std::span<char> into);
  // All allowed bytes were taken.
  bool done() const { return left_ == 0; }
  // Lets `bytes` more of the body go, as far as there are any; false where none are left.
  bool allow(uint64_t bytes);

  const Answer& answer() const { return *answer_; }
  std::unique_ptr<Answer> release() { return std::move(answer_); }

 private:
  std::string_view piece(size_t index) const { return index == 0 ? answer_->head : answer_->body[index - 1]; }
  void advance(size_t bytes);

  std::unique_ptr<Answer> answer_;
  const bool again_;
  size_t index_ = 0;   // of the piece that goes next; 0 is the head
  size_t offset_ = 0;  // in it
  uint64_t left_ = 0;  // bytes that may go
  uint64_t held_ = 0;  // bytes of the body that may not go yet
};

}  // namespace simweb
