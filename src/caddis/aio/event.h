// An Event wakes coroutines that wait for something to change, on one loop's thread.
//
//   while (!ready()) co_await event.wait();      …elsewhere…   event.notify();
#pragma once

#include <coroutine>
#include <vector>

#include "caddis/aio/loop.h"

namespace caddis::aio {

class Event {
 public:
  explicit Event(Loop& loop) : loop_(loop) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // Wakes all who wait now, through the loop (never inline).
  void notify() {
    for (const std::coroutine_handle<> waiter : waiters_) loop_.post([waiter] { waiter.resume(); });
    waiters_.clear();
  }
  auto wait() {
    struct Awaiter {
      Event& event;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> waiting) { event.waiters_.push_back(waiting); }
      void await_resume() const noexcept {}
    };
    return Awaiter{*this};
  }

 private:
  Loop& loop_;
  std::vector<std::coroutine_handle<>> waiters_;
};

}  // namespace caddis::aio
