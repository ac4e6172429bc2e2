#include "caddis/documents/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>

#include "caddis/aio/loop.h"
#include "caddis/base/log.h"
#include "caddis/documents/worker_process.h"

namespace caddis::documents {
namespace {

// A worker ends by itself after a minute: one that has waited nearly so long is not asked any more.
constexpr Duration kIdle = std::chrono::seconds(50);
// Memory that libraries keep is given back so often.
constexpr uint64_t kDocuments = 1000;

}  // namespace

WorkerPool::WorkerPool(std::vector<std::string> command, const DocumentSettings& settings, const Clock& clock)
    : command_(std::move(command)),
      time_limit_(settings.time_limit),
      clock_(clock),
      threads_(aio::make_blocking(static_cast<unsigned>(settings.workers))) {}

WorkerPool::~WorkerPool() { threads_.reset(); }

aio::Task<Found> WorkerPool::read(aio::Loop& loop, Question question) {
  Found found;
  const std::function<void()> work = [this, &question, &found] { found = ask(question); };
  co_await threads_->run(loop, work);
  co_return found;
}

uint64_t WorkerPool::started() const {
  const std::scoped_lock lock(mutex_);
  return started_;
}

Found WorkerPool::ask(Question& question) {
  Result<Found> found = try_to_read(question);
  if (found) return *std::move(found);
  log_warn("documents", "a document was not read: {}", found.error().message);
  return not_read(std::move(found).error());
}

Result<Found> WorkerPool::try_to_read(Question& question) {
  std::string storage;
  TRY_VOID(bring_bytes(question, storage));
  TRY(auto worker, take());
  TRY(Found found, worker->read(question, time_limit_));
  give_back(std::move(worker));
  return found;
}

// Takes those that have ended or are not to be asked again out of `idle_`: whoever destroys them ends and waits for
// them, which is done without the lock.
std::vector<std::unique_ptr<WorkerProcess>> WorkerPool::take_useless() {
  const auto is_fit = [now = clock_.steady()](const std::unique_ptr<WorkerProcess>& worker) {
    return now - worker->last_used() < kIdle && worker->documents() < kDocuments && worker->is_alive();
  };
  const auto first = std::ranges::partition(idle_, is_fit).begin();
  std::vector<std::unique_ptr<WorkerProcess>> useless(std::make_move_iterator(first),
                                                      std::make_move_iterator(idle_.end()));
  idle_.erase(first, idle_.end());
  return useless;
}

Result<std::unique_ptr<WorkerProcess>> WorkerPool::take() {
  std::vector<std::unique_ptr<WorkerProcess>> useless;  // destroyed behind the lock
  const std::scoped_lock lock(mutex_);
  useless = take_useless();
  if (!idle_.empty()) {
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  ++started_;
  return WorkerProcess::start(command_, clock_);
}

void WorkerPool::give_back(std::unique_ptr<WorkerProcess> worker) {
  std::vector<std::unique_ptr<WorkerProcess>> useless;  // destroyed behind the lock
  const std::scoped_lock lock(mutex_);
  if (!worker->is_filtered() && !std::exchange(has_warned_, true))
    log_warn("documents",
             "this system has no filter for system calls (seccomp): document workers are confined by limits alone");
  idle_.push_back(std::move(worker));
  useless = take_useless();
}

std::vector<std::string> worker_command(const DocumentSettings& settings) {
  return {"/proc/self/exe", "document-worker", std::to_string(settings.memory)};
}

}  // namespace caddis::documents
