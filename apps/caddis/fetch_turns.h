// Turns of those who have something fetched from the live web while they are shown an archive: a few at once, the others
// wait. Belongs to its loop.
#pragma once

#include <cstddef>

#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"

namespace caddis::cli {

class FetchTurns {
 public:
  explicit FetchTurns(aio::Loop& loop) : freed_(loop) {}
  // Waits for a turn, which is to be given back.
  aio::Task<void> take() {
    while (running_ >= kAtOnce) co_await freed_.wait();
    ++running_;
  }
  void give_back() {
    --running_;
    freed_.notify();
  }

 private:
  // As many as a browser has open to one site, and some more.
  static constexpr size_t kAtOnce = 8;
  size_t running_ = 0;
  aio::Event freed_;
};

}  // namespace caddis::cli
