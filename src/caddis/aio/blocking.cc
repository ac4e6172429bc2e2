#include "caddis/aio/blocking.h"

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace caddis::aio {
namespace {

class ThreadPool final : public Blocking {
 public:
  explicit ThreadPool(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) {
      threads_.emplace_back([this] { work(); });
      ::pthread_setname_np(threads_.back().native_handle(), "disk");  // as top and perf show it
    }
  }

  ~ThreadPool() override {
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  Task<void> run(Loop& loop, std::function<void()> work) override { co_await Job(*this, loop, std::move(work)); }

 private:
  // Lives in the frame of the coroutine that waits for it.
  class Job {
   public:
    Job(ThreadPool& pool, Loop& loop, std::function<void()> work) : pool_(pool), loop_(loop), work_(std::move(work)) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) {
      waiting_ = waiting;
      pool_.enqueue(this);
    }
    void await_resume() const noexcept {}
    void perform() {
      work_();
      loop_.post([waiting = waiting_] { waiting.resume(); });
    }

   private:
    ThreadPool& pool_;
    Loop& loop_;
    std::function<void()> work_;
    std::coroutine_handle<> waiting_;
  };

  void enqueue(Job* job) {
    {
      const std::scoped_lock lock(mutex_);
      jobs_.push_back(job);
    }
    wake_.notify_one();
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      Job* const job = jobs_.front();
      jobs_.pop_front();
      lock.unlock();
      job->perform();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job*> jobs_;  // bounded by the coroutines that wait: each has at most one
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Blocking> make_blocking(unsigned threads) { return std::make_unique<ThreadPool>(threads); }

}  // namespace caddis::aio
