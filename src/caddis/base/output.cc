#include "caddis/base/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace caddis {
namespace {

constexpr int kPatience = 100;  // ms

// A pipe or terminal opened anew, so that nobody else's descriptor changes. A file would be written from its beginning.
int open_without_waiting(int fd) {
  struct stat about{};
  if (::fstat(fd, &about) != 0 || !(S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode))) return -1;
  return ::open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

}  // namespace

LossyOutput::LossyOutput(int fd) : fd_(fd), own_fd_(open_without_waiting(fd)) {}

LossyOutput::~LossyOutput() {
  if (own_fd_ != -1) ::close(own_fd_);
}

void LossyOutput::write(std::string_view text) {
  const int fd = own_fd_ == -1 ? fd_ : own_fd_;
  while (!text.empty()) {
    ssize_t written = ::send(fd, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written == -1 && errno == ENOTSOCK) written = ::write(fd, text.data(), text.size());
    if (written > 0) {
      stands_still_ = false;
      text.remove_prefix(static_cast<size_t>(written));
    } else if (written == -1 && errno == EINTR) {
      continue;
    } else if (written == -1 && errno == EAGAIN && !stands_still_) {
      pollfd asked{fd, POLLOUT, 0};
      stands_still_ = ::poll(&asked, 1, kPatience) == 0;
    } else {
      return;
    }
  }
}

void say(std::string_view text) {
  static LossyOutput output(STDERR_FILENO);
  output.write(text);
}

}  // namespace caddis
