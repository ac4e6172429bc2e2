// A Nursery owns child coroutines: nobody may leave before all of them have ended. Its destructor checks that.
//
//   Nursery nursery;
//   nursery.spawn(visit(std::move(lease)));
//   co_await nursery.join();
//
// Belongs to one loop thread; it has to outlive its children, and so must everything they borrow.
//
// Every coroutine of a program hangs below some nursery: a child's frame holds the frames it awaits, and those of
// nurseries among their locals. So a World, which knows the nurseries that have children, can destroy all that runs,
// where it stands: that is how the simulated world dies (see sim.h).
#pragma once

#include <coroutine>
#include <cstddef>

#include "caddis/aio/task.h"

namespace caddis::aio {

class Loop;
class World;

namespace internal {

// A place in a ring; a ring's head is a Link too.
struct Link {
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  Link* previous = this;
  Link* next = this;
  bool alone() const { return next == this; }
  void insert_before(Link& place) {
    previous = place.previous;
    next = &place;
    previous->next = this;
    place.previous = this;
  }
  void unlink() {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }
};

struct ChildPromise;

}  // namespace internal

class Nursery : private internal::Link {
 public:
  Nursery() = default;
  ~Nursery();

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

  // Destroys all children where they stand, the latest first, with everything they own; nothing of theirs may be
  // resumed later, so their loop has to be at its end. Not from within a child.
  void abandon();

 private:
  friend struct internal::ChildPromise;
  friend class World;
  // Takes an ended child's frame apart, and gives what runs next: the waiter after the last child, or nothing.
  std::coroutine_handle<> child_ended(std::coroutine_handle<internal::ChildPromise> child);

  internal::Link children_;
  size_t running_ = 0;
  std::coroutine_handle<> waiter_ = std::noop_coroutine();
};

// Runs the loop on this thread until `task` has ended: for a program's outermost task, and tests.
void run_to_end(Loop& loop, Task<void> task);

// While a World lives, it knows every nursery on its thread that has children. One a thread; the simulated loop keeps
// it.
class World {
 public:
  World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();
  // Destroys all coroutines of all nurseries.
  void abandon();

 private:
  friend class Nursery;
  internal::Link nurseries_;
};

}  // namespace caddis::aio
