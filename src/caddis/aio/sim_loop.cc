#include <algorithm>
#include <utility>

#include "caddis/aio/sim.h"

namespace caddis::aio {

SimLoop::SimLoop(uint64_t seed) : random_(seed) {}

SimLoop::~SimLoop() { abandon(); }

Loop::TimerId SimLoop::at(SteadyTime when, std::function<void()> work) {
  if (abandoned_) return 0;
  return timers_.add(std::max(when, clock_.steady()), random_.next(), std::move(work));
}

void SimLoop::run() {
  while (!stopped_ && run_one()) {
  }
  stopped_ = false;
}

size_t SimLoop::run_events(size_t at_most) {
  size_t count = 0;
  while (count < at_most && !stopped_ && run_one()) ++count;
  return count;
}

bool SimLoop::run_one() {
  const auto next = timers_.next();
  if (!next) return false;
  // Who waits looks at the clock now and then (AsioLoop::kLongestWait).
  constexpr Duration kLongestWait = EvenTime::kLongestGap / 6;
  for (Duration left = *next - clock_.steady(); left > Duration(0); left = *next - clock_.steady())
    clock_.advance(std::min(left, kLongestWait));
  ++events_;
  timers_.take_due (*next)();
  return true;
}

void SimLoop::abandon() {
  abandoned_ = true;
  world_.abandon();
  // What dies with the functions may cancel timers of its own.
  const TimerHeap dropped = std::exchange(timers_, TimerHeap());
}

namespace {

class SimBlocking final : public Blocking {
 public:
  SimBlocking(SimLoop& loop, Duration longest) : sim_(loop), longest_(longest) {}

  Task<void> run(Loop& loop, std::function<void()> work) override {
    const auto time = Duration(static_cast<int64_t>(sim_.random().below(static_cast<uint64_t>(longest_.count()) + 1)));
    co_await sleep_for(sim_, time);
    work();
    co_await resume_on(loop);
  }

 private:
  SimLoop& sim_;
  Duration longest_;
};

}  // namespace

std::unique_ptr<Blocking> make_sim_blocking(SimLoop& loop, Duration longest) {
  return std::make_unique<SimBlocking>(loop, longest);
}

}  // namespace caddis::aio
