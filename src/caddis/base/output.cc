#include "caddis/base/output.h"

#include <poll.h>

#include <atomic>
#include <cerrno>

namespace caddis {

bool takes_text(int fd) {
  constexpr int kPatience = 100;  // ms, once: it may only be slow
  static std::atomic<bool> stands_still = false;
  pollfd asked{fd, POLLOUT, 0};
  int ready = 0;
  do {
    ready = ::poll(&asked, 1, stands_still ? 0 : kPatience);
  } while (ready == -1 && errno == EINTR);
  stands_still = ready == 0;
  return ready != 0;
}

}  // namespace caddis
