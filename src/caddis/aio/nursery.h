// A Nursery owns child coroutines: nobody may leave before all of them have ended. Its destructor checks that.
//
//   Nursery nursery;
//   nursery.spawn(visit(std::move(lease)));
//   co_await nursery.join();
//
// Belongs to one loop thread; it has to outlive its children, and so must everything they borrow.
#pragma once

#include <coroutine>
#include <cstddef>

#include "caddis/aio/task.h"
#include "caddis/base/check.h"

namespace caddis::aio {

class Nursery {
 public:
  Nursery() = default;
  Nursery(const Nursery&) = delete;
  Nursery& operator=(const Nursery&) = delete;
  ~Nursery() { CADDIS_CHECK(running_ == 0); }

  // Starts the child at once, on this thread, up to its first suspension.
  void spawn(Task<void> child);
  size_t running() const { return running_; }

  // Waits until every child has ended. One waiter at a time.
  auto join() {
    struct Awaiter {
      Nursery& nursery;
      bool await_ready() const noexcept { return nursery.running_ == 0; }
      void await_suspend(std::coroutine_handle<> waiting) { nursery.waiter_ = waiting; }
      void await_resume() const noexcept {}
    };
    return Awaiter{*this};
  }

 private:
  void child_ended();
  size_t running_ = 0;
  std::coroutine_handle<> waiter_;
};

}  // namespace caddis::aio
