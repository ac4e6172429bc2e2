// A Loop runs coroutines on one thread: posted functions and timers, in time order. `make_loop()` gives the real one
// (Asio behind it, and nowhere else visible); SimLoop (sim.h) is the simulated world's, which decides every order from
// one seed.
#pragma once

#include <coroutine>
#include <functional>
#include <memory>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"

namespace caddis::aio {

class Loop {
 public:
  using TimerId = uint64_t;
  virtual ~Loop() = default;
  // Runs `work` on the loop's thread, later. Any thread.
  virtual void post(std::function<void()> work) = 0;
  // Runs `work` on the loop's thread at or after `when`. Loop thread only.
  virtual TimerId at(SteadyTime when, std::function<void()> work) = 0;
  // The work will not run any more; without effect where it has already run. Loop thread only.
  virtual void cancel(TimerId timer) = 0;
  // Runs until `stop` was called. The calling thread becomes the loop's thread.
  virtual void run() = 0;
  // Any thread.
  virtual void stop() = 0;
  virtual const Clock& clock() const = 0;
};

// `co_await sleep_until(loop, when)`.
Task<void> sleep_until(Loop& loop, SteadyTime when);
inline Task<void> sleep_for(Loop& loop, Duration how_long) {
  return sleep_until(loop, loop.clock().steady() + how_long);
}

// Continues the awaiting coroutine on `loop`'s thread: `co_await resume_on(loop)`.
struct ResumeOn {
  Loop& loop;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    loop.post([waiting] { waiting.resume(); });
  }
  void await_resume() const noexcept {}
};
inline ResumeOn resume_on(Loop& loop) { return ResumeOn{loop}; }

std::unique_ptr<Loop> make_loop(const Clock& clock);

}  // namespace caddis::aio
