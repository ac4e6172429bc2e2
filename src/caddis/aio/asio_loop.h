// The real Loop. Only the .cc files of this module may include this header: it brings in Asio.
//
// Posted functions are collected and run in batches, one Asio handler a batch; timers stand in TimerHeap, behind one
// Asio timer that is set again only when an earlier moment comes up. It is never set for longer than `kLongestWait`:
// whoever waits reads the clock now and then, so that it can be told from a clock that jumps (EvenTime).
#pragma once

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <mutex>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/timer_heap.h"
#include "caddis/base/even_time.h"

namespace caddis::aio {

// The system's clock as Asio wants one. Asio's own timers stand still when the monotonic clock jumps back.
struct AsioClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<AsioClock, duration>;
  static constexpr bool is_steady = true;
  static time_point now() { return time_point(system_clock().steady().time_since_epoch()); }
};

class AsioLoop final : public Loop {
 public:
  explicit AsioLoop(const Clock& clock);
  ~AsioLoop() override;
  // The AsioLoop that `loop` has to be.
  static AsioLoop& of(Loop& loop);

  void post(std::function<void()> work) override;
  TimerId at(SteadyTime when, std::function<void()> work) override;
  void cancel(TimerId timer) override { timers_.cancel(timer); }
  void run() override;
  void stop() override { context_.stop(); }
  const Clock& clock() const override { return clock_; }

  boost::asio::io_context& context() { return context_; }

 private:
  static constexpr Duration kLongestWait = EvenTime::kLongestGap / 6;

  void run_ready();
  void run_timers();
  void arm(SteadyTime when);

  const Clock& clock_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open_end_{context_.get_executor()};
  boost::asio::basic_waitable_timer<AsioClock> timer_{context_};
  SteadyTime armed_for_ = SteadyTime::max();
  TimerHeap timers_;
  std::vector<std::function<void()>> ready_;  // posted on the loop's thread
  std::vector<std::function<void()>> batch_;  // being run
  bool ready_scheduled_ = false;
  std::mutex mutex_;
  std::vector<std::function<void()>> foreign_;  // posted elsewhere; guarded by mutex_
};

}  // namespace caddis::aio
