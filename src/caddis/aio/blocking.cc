#include "caddis/aio/blocking.h"

#include <pthread.h>

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace caddis::aio {
namespace {

// The worker that fell idle last is woken first: what it works on is still in the processor's caches.
class ThreadPool final : public Blocking {
 public:
  explicit ThreadPool(unsigned threads) : workers_(threads) {
    for (Worker& worker : workers_) {
      threads_.emplace_back([this, &worker] { work(worker); });
      ::pthread_setname_np(threads_.back().native_handle(), "disk");  // as top and perf show it
    }
  }

  ~ThreadPool() override {
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
    }
    for (Worker& worker : workers_) worker.wake.notify_one();
    for (std::thread& thread : threads_) thread.join();
  }

  Task<void> run(Loop& loop, std::function<void()> work) override { co_await Job(*this, 0, loop, std::move(work)); }
  Task<void> run_piece(Loop& loop, std::function<void()> work) override {
    co_await Job(*this, 1, loop, std::move(work));
  }

 private:
  // Lives in the frame of the coroutine that waits for it.
  class Job {
   public:
    Job(ThreadPool& pool, size_t row, Loop& loop, std::function<void()> work)
        : pool_(pool), row_(row), loop_(loop), work_(std::move(work)) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) {
      waiting_ = waiting;
      pool_.enqueue(this, row_);
    }
    void await_resume() const noexcept {}
    void perform() {
      work_();
      loop_.post([waiting = waiting_] { waiting.resume(); });
    }

   private:
    ThreadPool& pool_;
    const size_t row_;
    Loop& loop_;
    std::function<void()> work_;
    std::coroutine_handle<> waiting_;
  };

  struct Worker {
    std::condition_variable wake;
    bool is_idle = false;
  };

  void enqueue(Job* job, size_t row) {
    Worker* woken = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      rows_[row].push_back(job);
      if (!idle_.empty()) {
        woken = idle_.back();
        idle_.pop_back();
        woken->is_idle = false;
      }
    }
    if (woken != nullptr) woken->wake.notify_one();
  }

  void work(Worker& self) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (!waiting()) {
        if (ending_) return;
        self.is_idle = true;
        idle_.push_back(&self);
        self.wake.wait(lock, [&] { return ending_ || !self.is_idle; });
        continue;
      }
      Job* const job = take();
      lock.unlock();
      job->perform();
      lock.lock();
    }
  }

  bool waiting() const { return !rows_[0].empty() || !rows_[1].empty(); }

  // From both rows in turn.
  Job* take() {
    turn_ = 1 - turn_;
    std::deque<Job*>& row = rows_[rows_[turn_].empty() ? 1 - turn_ : turn_];
    Job* const job = row.front();
    row.pop_front();
    return job;
  }

  std::mutex mutex_;
  std::vector<Worker> workers_;
  std::vector<Worker*> idle_;  // the last one to fall idle at the end
  // Whole work, and pieces. Bounded by the coroutines that wait: each has at most one job.
  std::array<std::deque<Job*>, 2> rows_;
  size_t turn_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Blocking> make_blocking(unsigned threads) { return std::make_unique<ThreadPool>(threads); }

}  // namespace caddis::aio
