// A real loop on a thread of its own: lanes of a crawl run on one each.
#pragma once

#include <pthread.h>

#include <memory>
#include <thread>

#include "caddis/aio/loop.h"

namespace caddis::aio {

class LoopThread {
 public:
  // The loop exists at once and takes posted work; nothing runs before `start`.
  explicit LoopThread(const Clock& clock) : loop_(make_loop(clock)) {}
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;
  // Stops the loop and waits for the thread.
  ~LoopThread() { stop(); }

  void start() {
    thread_ = std::thread([this] { loop_->run(); });
    ::pthread_setname_np(thread_.native_handle(), "loop");  // as top and perf show it
  }
  void stop() {
    if (!thread_.joinable()) return;
    loop_->stop();
    thread_.join();
  }
  Loop& loop() { return *loop_; }

 private:
  std::unique_ptr<Loop> loop_;
  std::thread thread_;
};

// How many threads can work at the same time.
inline unsigned processor_count() {
  const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : count;
}

}  // namespace caddis::aio
