// A library to be preloaded (LD_PRELOAD) into a process that is to live in a disturbed system:
//
//   CADDIS_TEST_CLOCK=FILE       the monotonic clock is off by so many nanoseconds as stand in the file's first 8 bytes
//   CADDIS_TEST_WALL=FILE        the same of the clock on the wall
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
const volatile int64_t* wall_shift = nullptr;
int hanging_port = -1;

const volatile int64_t* number_in(const char* path) {
  if (path == nullptr) return nullptr;
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  const long place = syscall(SYS_mmap, nullptr, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0L);
  return place > 0 ? reinterpret_cast<const volatile int64_t*>(place) : nullptr;
}

__attribute__((constructor)) void begin() {
  if (const char* const port = std::getenv("CADDIS_TEST_HANG_PORT")) hanging_port = std::atoi(port);
  shift = number_in(std::getenv("CADDIS_TEST_CLOCK"));
  wall_shift = number_in(std::getenv("CADDIS_TEST_WALL"));
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  const long result = syscall(SYS_clock_gettime, clock, time);
  const volatile int64_t* const off = clock == CLOCK_MONOTONIC ? shift : clock == CLOCK_REALTIME ? wall_shift : nullptr;
  if (result != 0 || off == nullptr) return static_cast<int>(result);
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t all = time->tv_sec * kSecond + time->tv_nsec + *off;
  time->tv_sec = all / kSecond;
  time->tv_nsec = all % kSecond;
  return 0;
}

extern "C" int connect(int fd, const struct sockaddr* to, socklen_t size) {
  if (to->sa_family == AF_INET && ntohs(reinterpret_cast<const sockaddr_in*>(to)->sin_port) == hanging_port)
    for (;;) pause();
  return static_cast<int>(syscall(SYS_connect, fd, to, size));
}
