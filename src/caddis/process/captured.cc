#include "caddis/process/captured.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "caddis/process/child.h"

namespace caddis::process {
namespace {

constexpr size_t kMost = 16u << 20;

}  // namespace

Result<CapturedChild> CapturedChild::start(const std::vector<std::string>& command) {
  TRY(auto ends, connected_pair());
  TRY(const pid_t pid, spawn(command, {{ends.second.get(), STDOUT_FILENO}, {ends.second.get(), STDERR_FILENO}}));
  return CapturedChild(pid, std::move(ends.first));
}

CapturedChild::CapturedChild(CapturedChild&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), output_(std::move(other.output_)), text_(std::move(other.text_)) {}

CapturedChild::~CapturedChild() {
  if (pid_ < 0) return;
  signal(SIGKILL);
  (void)wait_for(pid_);
}

void CapturedChild::signal(int number) const {
  if (pid_ > 0) (void)::kill(pid_, number);
}

Result<bool> CapturedChild::read_more(SteadyTime deadline, const Clock& clock) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.steady()).count();
    if (left <= 0) return fail(ErrorCode::timeout, "the program does not answer");
    pollfd wanted{.fd = output_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, static_cast<int>(std::min<int64_t>(left, 60'000))) <= 0) continue;
    std::array<char, 65536> buffer{};
    const ssize_t n = ::read(output_.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text_.append(buffer.data(), std::min(static_cast<size_t>(n), kMost - std::min(kMost, text_.size())));
    return true;
  }
}

Result<std::string> CapturedChild::read_line(Duration patience, const Clock& clock) {
  const SteadyTime deadline = clock.steady() + patience;
  size_t end = 0;
  while ((end = text_.find('\n')) == std::string::npos) {
    TRY(const bool more, read_more(deadline, clock));
    if (!more) return fail(ErrorCode::closed, "the program has ended");
  }
  std::string line = text_.substr(0, end);
  text_.erase(0, end + 1);
  return line;
}

Result<CapturedEnd> CapturedChild::wait(Duration patience, const Clock& clock) {
  const SteadyTime deadline = clock.steady() + patience;
  for (;;) {
    const auto more = read_more(deadline, clock);
    if (more && *more) continue;
    if (!more) signal(SIGKILL);
    const int status = wait_for(std::exchange(pid_, -1));
    if (!more) return fail(ErrorCode::timeout, "the program did not end in time, and was killed: " + text_);
    return CapturedEnd{status, std::move(text_)};
  }
}

}  // namespace caddis::process
