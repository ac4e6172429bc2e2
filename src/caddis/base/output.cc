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
constexpr size_t kSmall = 512;  // bytes, which a pipe takes whole, and a terminal mostly

bool may_wait(int fd) {
  struct stat about{};
  return ::fstat(fd, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode));
}

// Opened anew, a file would be written from its beginning.
int open_without_waiting(int fd) {
  return ::open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

}  // namespace

LossyOutput::LossyOutput(int fd)
    : fd_(fd), may_wait_(may_wait(fd)), own_fd_(may_wait_ ? open_without_waiting(fd) : -1) {}

LossyOutput::~LossyOutput() {
  if (own_fd_ != -1) ::close(own_fd_);
}

bool LossyOutput::is_taken(int fd) {
  pollfd asked{fd, POLLOUT, 0};
  return ::poll(&asked, 1, stands_still_ ? 0 : kPatience) != 0;
}

void LossyOutput::write(std::string_view text) {
  const int fd = own_fd_ == -1 ? fd_ : own_fd_;
  // The best that can be done with one that waits: what fits where it takes anything.
  const bool is_careful = may_wait_ && own_fd_ == -1;
  for (bool waited = false; !text.empty();) {
    if (is_careful && !is_taken(fd)) {
      stands_still_ = true;
      return;
    }
    const std::string_view part = is_careful ? text.substr(0, kSmall) : text;
    ssize_t written = ::send(fd, part.data(), part.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written == -1 && errno == ENOTSOCK) written = ::write(fd, part.data(), part.size());
    if (written > 0) {
      stands_still_ = false;
      text.remove_prefix(static_cast<size_t>(written));
    } else if (written == -1 && errno == EINTR) {
      continue;
    } else if (written == -1 && errno == EAGAIN && !stands_still_ && !waited) {
      waited = true;
      (void)is_taken(fd);
    } else {
      stands_still_ = written == -1 && errno == EAGAIN;
      return;
    }
  }
}

void say(std::string_view text) {
  static LossyOutput output(STDERR_FILENO);
  output.write(text);
}

}  // namespace caddis
