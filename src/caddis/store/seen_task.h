// The background work of the seen-set, in steps of some milliseconds: writing a table to a run, merging runs, reading a
// run into a filter, removing files. A task touches only what nobody changes, so that its steps may run on any thread,
// one at a time, while the set is being used.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/seen_filter.h"
#include "caddis/store/seen_run.h"
#include "caddis/store/seen_table.h"

namespace caddis::store {

class SeenTask {
 public:
  virtual ~SeenTask() = default;
  // True when all is done. After an error the task can only be dropped, and begun anew.
  virtual Result<bool> step() = 0;
};

// Gives the next values in ascending order, and how many; none at the end.
using SeenSource = std::function<Result<size_t>(std::span<uint64_t> out)>;

SeenSource table_source(std::shared_ptr<const SeenTable> table);
SeenSource merged_source(const std::vector<std::shared_ptr<const SeenRun>>& runs);

// Writes a run.
class SeenRunTask : public SeenTask {
 public:
  SeenRunTask(io::Files& files, std::string folder, uint64_t number, uint64_t values, SeenSource source)
      : files_(files), folder_(std::move(folder)), number_(number), values_(values), source_(std::move(source)) {}
  Result<bool> step() override;
  // When it is done.
  const std::shared_ptr<const SeenRun>& run() const { return run_; }

 private:
  io::Files& files_;
  std::string folder_;
  uint64_t number_;
  uint64_t values_;
  SeenSource source_;
  std::unique_ptr<SeenRunWriter> writer_;
  std::vector<uint64_t> buffer_;
  std::shared_ptr<const SeenRun> run_;
};

// Checks all of a run, and fills its filter, if there is one.
class SeenFilterTask : public SeenTask {
 public:
  SeenFilterTask(std::shared_ptr<const SeenRun> run, std::shared_ptr<SeenFilter> filter)
      : scan_(std::move(run)), filter_(std::move(filter)) {}
  Result<bool> step() override;

 private:
  SeenRunScan scan_;
  std::shared_ptr<SeenFilter> filter_;
};

// Removes files. One that cannot be removed stays until the next start.
class SeenRemoveTask : public SeenTask {
 public:
  SeenRemoveTask(io::Files& files, std::vector<std::string> paths) : files_(files), paths_(std::move(paths)) {}
  Result<bool> step() override;

 private:
  io::Files& files_;
  std::vector<std::string> paths_;
};

}  // namespace caddis::store
