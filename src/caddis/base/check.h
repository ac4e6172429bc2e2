// Invariants: a broken one ends the process, and the committed state recovers on the next start. Never for input.
#pragma once

namespace caddis {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}

#define CADDIS_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::caddis::check_failed(#condition, __FILE__, __LINE__))
#ifdef NDEBUG
#define CADDIS_DCHECK(condition) static_cast<void>(0)
#else
#define CADDIS_DCHECK(condition) CADDIS_CHECK(condition)
#endif
