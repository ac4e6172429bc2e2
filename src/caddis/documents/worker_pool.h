// Reads documents in processes of its own. They are started when a document comes, confined before they see it
// (confinement.h), and ended when none has come for a minute. A worker that dies or takes too long is ended; the
// document fails, and the next one gets another worker.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/documents/reader.h"
#include "caddis/documents/settings.h"

namespace caddis::documents {

class WorkerProcess;

// Any thread. Whoever has asked must have the answer before it is destroyed.
class WorkerPool final : public Reader {
 public:
  // `command`: the executable and its arguments, which lead to `run_worker`. `clock` outlives it.
  WorkerPool(std::vector<std::string> command, const DocumentSettings& settings, const Clock& clock);
  ~WorkerPool() override;

  aio::Task<Found> read(aio::Loop& loop, Question question) override;
  // Processes that were started so far.
  uint64_t started() const;

 private:
  Found ask(Question& question);
  Result<Found> try_to_read(Question& question);
  Result<std::unique_ptr<WorkerProcess>> take();
  void give_back(std::unique_ptr<WorkerProcess> worker);
  std::vector<std::unique_ptr<WorkerProcess>> take_useless();

  const std::vector<std::string> command_;
  const Duration time_limit_;
  const Clock& clock_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::unique_ptr<WorkerProcess>> idle_;
  uint64_t started_ = 0;
  bool has_warned_ = false;
  std::unique_ptr<aio::Blocking> threads_;  // one a worker; joined before the workers go
};

// The command that starts this executable, which is `caddis`, as a worker.
std::vector<std::string> worker_command(const DocumentSettings& settings);

}  // namespace caddis::documents
