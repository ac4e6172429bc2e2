// A library to be preloaded (LD_PRELOAD) into a process that is to live in a disturbed system:
//
//   CADDIS_TEST_CLOCK=FILE       the monotonic clock is off by so many nanoseconds as stand in the file's first 8 bytes
//   CADDIS_TEST_HANG_PORT=PORT   who connects to that port never comes back from it
//
// It asks the kernel itself, and has no state that is made when it is first needed: sanitizers are at work before main.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

const volatile int64_t* shift = nullptr;
int hanging_port = -1;

__attribute__((constructor)) void begin() {
  if (const char* const port = std::getenv("CADDIS_TEST_HANG_PORT")) hanging_port = std::atoi(port);
  const char* const path = std::getenv("CADDIS_TEST_CLOCK");
  if (path == nullptr) return;
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  const long place = syscall(SYS_mmap, nullptr, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0L);
  if (place > 0) shift = reinterpret_cast<const volatile int64_t*>(place);
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  const long result = syscall(SYS_clock_gettime, clock, time);
  if (result != 0 || clock != CLOCK_MONOTONIC || shift == nullptr) return static_cast<int>(result);
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t all = time->tv_sec * kSecond + time->tv_nsec + *shift;
  time->tv_sec = all / kSecond;
  time->tv_nsec = all % kSecond;
  return 0;
}

extern "C" int connect(int fd, const struct sockaddr* to, socklen_t size) {
  if (to->sa_family == AF_INET && ntohs(reinterpret_cast<const sockaddr_in*>(to)->sin_port) == hanging_port)
    for (;;) pause();
  return static_cast<int>(syscall(SYS_connect, fd, to, size));
}
