#include "caddis/aio/loop.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "caddis/aio/asio_loop.h"
#include "caddis/base/check.h"

namespace caddis::aio {
namespace {

thread_local AsioLoop* loop_of_this_thread = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// Takes its timer along when its frame is destroyed.
class Sleep {
 public:
  Sleep(Loop& loop, SteadyTime when) : loop_(loop), when_(when) {}
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;
  ~Sleep() {
    if (timer_ != 0) loop_.cancel(timer_);
  }
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    timer_ = loop_.at(when_, [this, waiting] {
      timer_ = 0;
      waiting.resume();
    });
  }
  void await_resume() const noexcept {}

 private:
  Loop& loop_;
  SteadyTime when_;
  Loop::TimerId timer_ = 0;
};

}  // namespace

AsioLoop::AsioLoop(const Clock& clock) : clock_(clock) {}

AsioLoop::~AsioLoop() = default;

AsioLoop& AsioLoop::of(Loop& loop) {
  auto* real = dynamic_cast<AsioLoop*>(&loop);
  CADDIS_CHECK(real != nullptr);
  return *real;
}

void AsioLoop::post(std::function<void()> work) {
  if (loop_of_this_thread == this) {
    ready_.push_back(std::move(work));
    if (std::exchange(ready_scheduled_, true)) return;
  } else {
    const std::scoped_lock lock(mutex_);
    foreign_.push_back(std::move(work));
    if (foreign_.size() > 1) return;  // the first one has woken the loop
  }
  boost::asio::post(context_, [this] { run_ready(); });
}

void AsioLoop::run_ready() {
  {
    const std::scoped_lock lock(mutex_);
    for (auto& work : foreign_) ready_.push_back(std::move(work));
    foreign_.clear();
  }
  ready_scheduled_ = false;
  std::swap(ready_, batch_);
  for (auto& work : batch_) work();
  batch_.clear();
}

Loop::TimerId AsioLoop::at(SteadyTime when, std::function<void()> work) {
  const TimerId id = timers_.add(when, 0, std::move(work));
  if (when < armed_for_) arm(when);
  return id;
}

void AsioLoop::arm(SteadyTime when) {
  armed_for_ = when;
  timer_.expires_after(std::clamp(when - clock_.steady(), Duration::zero(), kLongestWait));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) run_timers();
  });
}

void AsioLoop::run_timers() {
  armed_for_ = SteadyTime::max();
  const SteadyTime now = clock_.steady();
  while (const auto work = timers_.take_due(now)) work();
  if (const auto next = timers_.next(); next && *next < armed_for_) arm(*next);
}

void AsioLoop::run() {
  AsioLoop* const former = std::exchange(loop_of_this_thread, this);
  context_.run();
  context_.restart();
  loop_of_this_thread = former;
}

std::unique_ptr<Loop> make_loop(const Clock& clock) { return std::make_unique<AsioLoop>(clock); }

Task<void> sleep_until(Loop& loop, SteadyTime when) { co_await Sleep(loop, when); }

}  // namespace caddis::aio
