#include "caddis/aio/nursery.h"

#include "caddis/aio/loop.h"
#include "caddis/base/check.h"

namespace caddis::aio {
namespace {

// More than 0 while frames are being destroyed: nurseries among their locals go down with their children.
thread_local int abandoning = 0;              // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
thread_local World* current_world = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

namespace internal {

// The outermost frame of a child; it frees itself when the child has ended.
struct Child {
  using promise_type = ChildPromise;
  std::coroutine_handle<ChildPromise> handle;
};

struct ChildPromise : Link {
  ChildPromise(Nursery& owner, Task<void>&) : nursery(owner) {}
  Nursery& nursery;

  struct Ending {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<ChildPromise> child) noexcept {
      return child.promise().nursery.child_ended(child);
    }
    void await_resume() const noexcept {}
  };

  Child get_return_object() { return Child{std::coroutine_handle<ChildPromise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  Ending final_suspend() const noexcept { return {}; }
  void return_void() const noexcept {}
  [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }
};

namespace {
Child run_child(Nursery&, Task<void> child) { co_await std::move(child); }
}  // namespace

}  // namespace internal

Nursery::~Nursery() {
  if (abandoning > 0) abandon();
  CADDIS_CHECK(running_ == 0);
}

void Nursery::spawn(Task<void> child) {
  const internal::Child started = internal::run_child(*this, std::move(child));
  if (running_ == 0 && current_world) insert_before(current_world->nurseries_);
  ++running_;
  started.handle.promise().insert_before(children_);
  started.handle.resume();
}

std::coroutine_handle<> Nursery::child_ended(std::coroutine_handle<internal::ChildPromise> child) {
  child.promise().unlink();
  child.destroy();  // before the count: whoever waits may rely on all that the child owned being gone
  if (--running_ > 0) return std::noop_coroutine();
  unlink();
  return std::exchange(waiter_, std::noop_coroutine());
}

void Nursery::abandon() {
  ++abandoning;
  while (!children_.alone()) {
    auto& child = static_cast<internal::ChildPromise&>(*children_.previous);
    child.unlink();
    std::coroutine_handle<internal::ChildPromise>::from_promise(child).destroy();
  }
  --abandoning;
  unlink();
  running_ = 0;
  waiter_ = std::noop_coroutine();
}

namespace {
Task<void> stop_after(Loop& loop, Task<void> task) {
  co_await std::move(task);
  loop.stop();
}
}  // namespace

void run_to_end(Loop& loop, Task<void> task) {
  Nursery nursery;
  loop.post([&] { nursery.spawn(stop_after(loop, std::move(task))); });
  loop.run();
  CADDIS_CHECK(nursery.running() == 0);
}

World::World() {
  CADDIS_CHECK(!current_world);
  current_world = this;
}

World::~World() {
  abandon();
  current_world = nullptr;
}

void World::abandon() {
  // A nursery among a coroutine's locals got its children after the nursery of that coroutine: the latest first is
  // inside out.
  while (!nurseries_.alone()) static_cast<Nursery&>(*nurseries_.previous).abandon();
}

}  // namespace caddis::aio
