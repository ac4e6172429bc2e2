// Runs calls that block (fdatasync, RocksDB) away from the loops. `run` continues the caller on its own loop.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"

namespace caddis::aio {

class Blocking {
 public:
  virtual ~Blocking() = default;
  // Runs `work` on a worker thread (in the simulated world: later, on the loop); then continues on `loop`.
  virtual Task<void> run(Loop& loop, std::function<void()> work) = 0;
  // The same for one piece of something long. Pieces take turns with what `run` is given, and with one another: what is
  // short waits for a few pieces at most, never for the whole.
  virtual Task<void> run_piece(Loop& loop, std::function<void()> work) { return run(loop, std::move(work)); }
};

// A pool with `threads` workers, joined by the destructor.
std::unique_ptr<Blocking> make_blocking(unsigned threads);

}  // namespace caddis::aio
