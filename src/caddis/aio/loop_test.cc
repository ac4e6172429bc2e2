#include "caddis/aio/loop.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "caddis/aio/blocking.h"
#include "caddis/aio/event.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/timer_heap.h"

namespace caddis::aio {
namespace {

using namespace std::chrono_literals;

TEST(TimerHeap, FiresByTimeThenRankThenOrder) {
  TimerHeap heap;
  std::string order;
  const SteadyTime start(1h);
  heap.add(start + 2s, 0, [&] { order += 'd'; });
  heap.add(start + 1s, 7, [&] { order += 'b'; });
  heap.add(start + 1s, 7, [&] { order += 'c'; });
  heap.add(start + 1s, 3, [&] { order += 'a'; });
  EXPECT_EQ(heap.next(), start + 1s);
  EXPECT_FALSE(heap.take_due(start));
  while (const auto work = heap.take_due(start + 1s)) work();
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(heap.size(), 1u);
  while (const auto work = heap.take_due(start + 2s)) work();
  EXPECT_EQ(order, "abcd");
  EXPECT_EQ(heap.next(), std::nullopt);
}

TEST(TimerHeap, CancelledTimersDoNotFireNorPileUp) {
  TimerHeap heap;
  int fired = 0;
  const SteadyTime start(1h);
  const uint64_t kept = heap.add(start + 500h, 0, [&] { ++fired; });
  for (int i = 0; i < 10'000; ++i) heap.cancel(heap.add(start + std::chrono::hours(i), 0, [&] { fired += 100; }));
  EXPECT_EQ(heap.size(), 1u);
  EXPECT_EQ(heap.next(), start + 500h);
  while (const auto work = heap.take_due(start + 20'000h)) work();
  EXPECT_EQ(fired, 1);
  heap.cancel(kept);  // has fired
  heap.add(start, 0, [&] { ++fired; });
  heap.cancel(kept);  // another timer has its place now
  EXPECT_EQ(heap.size(), 1u);
}

Task<int> answer() { co_return 42; }

Task<void> sleep_and_note(Loop& loop, Duration time, std::string& order, char name) {
  co_await sleep_for(loop, time);
  order += name;
}

TEST(Loop, RunsATaskToItsEnd) {
  const auto loop = make_loop(system_clock());
  int seen = 0;
  const auto body = [&]() -> Task<void> { seen = co_await answer(); };
  run_to_end(*loop, body());
  EXPECT_EQ(seen, 42);
}

TEST(Loop, TimersFireInOrder) {
  const auto loop = make_loop(system_clock());
  std::string order;
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    nursery.spawn(sleep_and_note(*loop, 6ms, order, 'c'));
    nursery.spawn(sleep_and_note(*loop, 2ms, order, 'a'));
    nursery.spawn(sleep_and_note(*loop, 4ms, order, 'b'));
    const auto cancelled = loop->at(loop->clock().steady() + 3ms, [&] { order += 'x'; });
    loop->cancel(cancelled);
    co_await nursery.join();
  };
  const SteadyTime start = system_clock().steady();
  run_to_end(*loop, body());
  EXPECT_EQ(order, "abc");
  EXPECT_GE(system_clock().steady() - start, 6ms);
}

TEST(Loop, PostsFromManyThreadsAllArrive) {
  const auto loop = make_loop(system_clock());
  int count = 0;
  constexpr int threads = 4, posts = 5'000;
  std::vector<std::thread> posters;
  for (int t = 0; t < threads; ++t) {
    posters.emplace_back([&] {
      for (int i = 0; i < posts; ++i) {
        loop->post([&] {
          if (++count == threads * posts) loop->stop();
        });
      }
    });
  }
  loop->run();
  for (std::thread& poster : posters) poster.join();
  EXPECT_EQ(count, threads * posts);
}

TEST(Loop, PostsOfTheLoopKeepTheirOrder) {
  const auto loop = make_loop(system_clock());
  std::string order;
  loop->post([&] {
    loop->post([&] { order += 'a'; });
    loop->post([&] { order += 'b'; });
    loop->post([&] { loop->stop(); });
  });
  loop->run();
  EXPECT_EQ(order, "ab");
}

TEST(Loop, StopBeforeRunEndsTheNextRun) {
  const auto loop = make_loop(system_clock());
  loop->stop();
  loop->run();
  bool ran = false;
  loop->post([&] { ran = true; });
  loop->post([&] { loop->stop(); });
  loop->run();
  EXPECT_TRUE(ran);
}

Task<void> wait_until_ready(Event& event, const bool& ready, int& woken) {
  while (!ready) co_await event.wait();
  ++woken;
}

TEST(Event, WakesAllWhoWait) {
  const auto loop = make_loop(system_clock());
  Event event(*loop);
  bool ready = false;
  int woken = 0;
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    for (int i = 0; i < 3; ++i) nursery.spawn(wait_until_ready(event, ready, woken));
    event.notify();
    co_await resume_on(*loop);
    EXPECT_EQ(woken, 0);
    ready = true;
    event.notify();
    co_await nursery.join();
  };
  run_to_end(*loop, body());
  EXPECT_EQ(woken, 3);
}

TEST(Blocking, WorksElsewhereAndContinuesOnTheLoop) {
  const auto loop = make_loop(system_clock());
  const auto pool = make_blocking(3);
  const auto home = std::this_thread::get_id();
  int done = 0;
  const auto one = [&]() -> Task<void> {
    std::thread::id worker;
    const std::function<void()> work = [&] { worker = std::this_thread::get_id(); };
    co_await pool->run(*loop, work);
    EXPECT_NE(worker, home);
    EXPECT_EQ(std::this_thread::get_id(), home);
    ++done;
  };
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    for (int i = 0; i < 500; ++i) nursery.spawn(one());
    co_await nursery.join();
  };
  run_to_end(*loop, body());
  EXPECT_EQ(done, 500);
}

TEST(Blocking, WhatIsNewPassesThePiecesOfWhatIsLong) {
  const auto loop = make_loop(system_clock());
  const auto pool = make_blocking(1);
  std::latch held(1), all_wait(1);
  std::string order;  // of the only worker
  const auto hold = [&]() -> Task<void> {
    const std::function<void()> work = [&] {
      held.count_down();
      all_wait.wait();
    };
    co_await pool->run(*loop, work);
  };
  const auto piece = [&]() -> Task<void> {
    const std::function<void()> work = [&] { order += 'p'; };
    co_await pool->run_piece(*loop, work);
  };
  const auto whole = [&]() -> Task<void> {
    const std::function<void()> work = [&] { order += 'w'; };
    co_await pool->run(*loop, work);
  };
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    nursery.spawn(hold());
    held.wait();
    for (int i = 0; i < 6; ++i) nursery.spawn(piece());
    for (int i = 0; i < 3; ++i) nursery.spawn(whole());
    all_wait.count_down();
    co_await nursery.join();
  };
  run_to_end(*loop, body());
  EXPECT_TRUE(order == "pwpwpwppp" || order == "wpwpwpppp") << order;
}

}  // namespace
}  // namespace caddis::aio
