// The other end of worker_pool.h: the process that reads documents for a crawl. It is started by `caddis
// document-worker`, which is of no use to people.
#pragma once

#include <cstdint>

namespace caddis::documents {

// Confines this process to `memory` bytes and to what it has, and answers requests that come on the descriptor
// `kWorkerSocket` until its other end is closed, or nothing was asked for a minute. Returns the exit code. The calling
// process must have one thread and nothing to lose.
int run_worker(uint64_t memory);

}  // namespace caddis::documents
