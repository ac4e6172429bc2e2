// A library to be preloaded (LD_PRELOAD) into a process that is to live in a disturbed system:
//
//   CADDIS_TEST_CLOCK=FILE       the monotonic clock is off by so many nanoseconds as stand in the file's first 8 bytes
//   CADDIS_TEST_HANG_PORT=PORT   who connects to that port never comes back from it
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

const volatile int64_t* shift() {
  static const volatile int64_t* const mapped = []() -> const volatile int64_t* {
    const char* const path = std::getenv("CADDIS_TEST_CLOCK");
    const int fd = path == nullptr ? -1 : open(path, O_RDONLY);
    if (fd < 0) return nullptr;
    void* const place = mmap(nullptr, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    return place == MAP_FAILED ? nullptr : static_cast<const volatile int64_t*>(place);
  }
  ();
  return mapped;
}

int hanging_port() {
  static const int port = [] {
    const char* const text = std::getenv("CADDIS_TEST_HANG_PORT");
    return text == nullptr ? -1 : std::atoi(text);
  }();
  return port;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  static const auto real = reinterpret_cast<int (*)(clockid_t, struct timespec*)>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  if (result != 0 || clock != CLOCK_MONOTONIC || shift() == nullptr) return result;
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t all = time->tv_sec * kSecond + time->tv_nsec + *shift();
  time->tv_sec = all / kSecond;
  time->tv_nsec = all % kSecond;
  return 0;
}

extern "C" int connect(int fd, const struct sockaddr* to, socklen_t size) {
  static const auto real =
      reinterpret_cast<int (*)(int, const struct sockaddr*, socklen_t)>(dlsym(RTLD_NEXT, "connect"));
  if (to->sa_family == AF_INET && ntohs(reinterpret_cast<const sockaddr_in*>(to)->sin_port) == hanging_port())
    for (;;) pause();
  return real(fd, to, size);
}
