// The real Loop. Only the .cc files of this module may include this header: it brings in Asio.
//
// Posted functions are collected and run in batches, one Asio handler a batch; timers stand in TimerHeap, behind one
// Asio timer that is set again only when an earlier moment comes up.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <mutex>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/timer_heap.h"

namespace caddis::aio {

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
  void run_ready();
  void run_timers();
  void arm(SteadyTime when);

  const Clock& clock_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open_end_{context_.get_executor()};
  boost::asio::steady_timer timer_{context_};
  SteadyTime armed_for_ = SteadyTime::max();
  TimerHeap timers_;
  std::vector<std::function<void()>> ready_;  // posted on the loop's thread
  std::vector<std::function<void()>> batch_;  // being run
  bool ready_scheduled_ = false;
  std::mutex mutex_;
  std::vector<std::function<void()>> foreign_;  // posted elsewhere; guarded by mutex_
};

}  // namespace caddis::aio
