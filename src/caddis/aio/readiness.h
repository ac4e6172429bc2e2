// Tells when a file descriptor of somebody else (a C library's socket) can be read or written.
#pragma once

#include <functional>
#include <memory>

#include "caddis/aio/loop.h"

namespace caddis::aio {

// One loop thread. To be destroyed before the descriptor is closed; may be destroyed within its own callback.
class Readiness {
 public:
  virtual ~Readiness() = default;
  // What to wait for from now on. `ready` is called again and again while the descriptor is ready.
  virtual void want(bool readable, bool writable) = 0;
};

// `loop` has to be a real one.
std::unique_ptr<Readiness> watch(Loop& loop, int descriptor, std::function<void(bool readable, bool writable)> ready);

}  // namespace caddis::aio
