#include "caddis/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace caddis {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "caddis: broken invariant at %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace caddis
