#include "caddis/aio/nursery.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "caddis/aio/loop.h"

namespace caddis::aio {
namespace {

using namespace std::chrono_literals;

// Notes its end in a string.
class Witness {
 public:
  Witness(std::string& ends, char name) : ends_(&ends), name_(name) {}
  Witness(Witness&& other) noexcept : ends_(std::exchange(other.ends_, nullptr)), name_(other.name_) {}
  Witness& operator=(Witness&&) = delete;
  ~Witness() {
    if (ends_) *ends_ += name_;
  }

 private:
  std::string* ends_;
  char name_;
};

// Waits until somebody resumes `place`.
struct Park {
  std::coroutine_handle<>& place;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) { place = waiting; }
  void await_resume() const noexcept {}
};

Task<void> hold(Witness, std::coroutine_handle<>& place) { co_await Park(place); }

TEST(Nursery, JoinWaitsForEveryChild) {
  std::string ends;
  std::coroutine_handle<> first, second;
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    nursery.spawn(hold(Witness(ends, 'a'), first));
    nursery.spawn(hold(Witness(ends, 'b'), second));
    co_await nursery.join();
    ends += '.';
  };
  Nursery outer;
  outer.spawn(body());
  EXPECT_EQ(outer.running(), 1u);
  second.resume();
  EXPECT_EQ(ends, "b");
  first.resume();
  EXPECT_EQ(ends, "ba.");
  EXPECT_EQ(outer.running(), 0u);
}

TEST(Nursery, AChildThatNeverWaitsEndsInSpawn) {
  int ran = 0;
  const auto body = [&]() -> Task<void> {
    ++ran;
    co_return;
  };
  Nursery nursery;
  for (int i = 0; i < 1000; ++i) nursery.spawn(body());
  EXPECT_EQ(ran, 1000);
  EXPECT_EQ(nursery.running(), 0u);
}

TEST(Nursery, AbandonDestroysChildrenInsideOut) {
  std::string ends;
  std::coroutine_handle<> place;
  const auto inner = [&]() -> Task<void> {
    const Witness witness(ends, 'i');
    co_await hold(Witness(ends, 'h'), place);
  };
  const auto outer = [&]() -> Task<void> {
    const Witness witness(ends, 'o');
    Nursery nursery;
    nursery.spawn(inner());
    co_await nursery.join();
  };
  Nursery nursery;
  nursery.spawn(outer());
  nursery.spawn(hold(Witness(ends, 'l'), place));
  nursery.abandon();
  EXPECT_EQ(ends, "lhio");
  EXPECT_EQ(nursery.running(), 0u);
}

TEST(World, AbandonsAllNurseriesOfItsThread) {
  std::string ends;
  std::coroutine_handle<> place;
  World world;
  const auto owner = std::make_unique<Nursery>();
  Nursery other;
  const auto nested = [&]() -> Task<void> {
    const Witness witness(ends, 'n');
    Nursery nursery;
    nursery.spawn(hold(Witness(ends, 'c'), place));
    co_await nursery.join();
  };
  owner->spawn(nested());
  other.spawn(hold(Witness(ends, 'x'), place));
  world.abandon();
  EXPECT_EQ(ends, "xcn");
  other.spawn(hold(Witness(ends, 'y'), place));  // it can be used again
  place.resume();
  EXPECT_EQ(ends, "xcny");
}

TEST(NurseryDeathTest, LeavingChildrenBehindEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto leave = [] {
    std::string ends;
    std::coroutine_handle<> place;
    Nursery nursery;
    nursery.spawn(hold(Witness(ends, 'a'), place));
  };
  EXPECT_DEATH(leave(), "running_ == 0");
}

}  // namespace
}  // namespace caddis::aio
