#include "simweb/serve/loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

namespace simweb {

using namespace std::chrono_literals;

caddis::Result<std::unique_ptr<Loop>> Loop::create(const caddis::Clock& clock) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return caddis::fail_errno("cannot make an epoll descriptor", errno);
  const int wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake < 0) {
    close(epoll);
    return caddis::fail_errno("cannot make an event descriptor", errno);
  }
  std::unique_ptr<Loop> loop(new Loop(clock, epoll, wake));
  epoll_event event{.events = EPOLLIN, .data = {.ptr = nullptr}};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event) != 0) return caddis::fail_errno("cannot watch", errno);
  loop->renew();
  return loop;
}

Loop::~Loop() {
  close(wake_);
  close(epoll_);
}

caddis::Result<void> Loop::watch(int fd, Handler& handler) {
  epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.ptr = &handler}};
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) return caddis::fail_errno("cannot watch a socket", errno);
  return {};
}

void Loop::drop(std::unique_ptr<Handler> handler) {
  handler->dropped_ = true;
  dropped_.push_back(std::move(handler));
}

int Loop::wait_milliseconds() {
  const auto next = timers_.next();
  if (!next) return -1;
  // Rounded up: waking early would spin.
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - now_).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

void Loop::run_timers() {
  while (auto work = timers_.take_due(now_)) work();
}

void Loop::run() {
  std::array<epoll_event, 256> events;
  while (!stopping_) {
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), wait_milliseconds());
    renew();
    for (int i = 0; i < count; ++i) {
      auto* const handler = static_cast<Handler*>(events[static_cast<size_t>(i)].data.ptr);
      if (handler == nullptr || handler->dropped_) continue;
      handler->ready(events[static_cast<size_t>(i)].events);
    }
    run_timers();
    dropped_.clear();
  }
}

void Loop::stop() {
  stopping_ = true;
  const uint64_t one = 1;
  // A full counter has woken the loop already.
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof(one));
}

}  // namespace simweb
