// One thread's event loop over epoll (edge-triggered), with timers. All sockets and delays of simweb hang on one Loop.
//
// Not thread-safe, except stop(), which may also be called by a signal handler. A Handler is owned elsewhere; who is
// done with one hands it to drop(), since an event for it may stand in the batch being handled.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "caddis/aio/timer_heap.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace simweb {

class Handler {
 public:
  virtual ~Handler() = default;
  // `events` as epoll gives them. Not called after Loop::drop().
  virtual void ready(uint32_t events) = 0;

 private:
  friend class Loop;
  bool dropped_ = false;
};

class Loop {
 public:
  static caddis::Result<std::unique_ptr<Loop>> create(const caddis::Clock& clock);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Watches for reading, writing and hang-ups, once for each change.
  caddis::Result<void> watch(int fd, Handler& handler);
  // Destroys `handler` when no event can name it any more. Its descriptor has to be closed by then.
  void drop(std::unique_ptr<Handler> handler);

  uint64_t call_at(caddis::SteadyTime when, std::function<void()> work) {
    return timers_.add(when, 0, std::move(work));
  }
  void cancel(uint64_t timer) { timers_.cancel(timer); }
  // The time at the begin of the batch being handled; renew() looks at the clock again.
  caddis::SteadyTime now() const { return now_; }
  caddis::SteadyTime renew() { return now_ = clock_.steady(); }

  // Until stop().
  void run();
  void stop();

 private:
  Loop(const caddis::Clock& clock, int epoll, int wake) : clock_(clock), epoll_(epoll), wake_(wake) {}
  int wait_milliseconds();
  void run_timers();

  const caddis::Clock& clock_;
  const int epoll_;
  const int wake_;  // eventfd that stop() makes readable
  caddis::SteadyTime now_{};
  caddis::aio::TimerHeap timers_;
  std::vector<std::unique_ptr<Handler>> dropped_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace simweb
