// The rights that a document worker gives up before it reads anything. Internal to documents.
#pragma once

#include <cstdint>

namespace caddis::documents {

// Bounds memory to `memory` bytes beyond what the process has (not in builds with a sanitizer, which needs a large
// address space), allows no new files, processes, privileges or core dumps, and no system call but those for memory,
// the descriptors it has, and its end. Returns false if the system has no filter for system calls (seccomp): then the
// other limits hold alone.
bool confine_worker(uint64_t memory);
// So much processor time from now on; beyond it the system ends the process.
void allow_processor_time(uint32_t seconds);

}  // namespace caddis::documents
