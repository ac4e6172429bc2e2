// The program gets a session of its own. What it starts may leave that session, but not the supervisor: being a
// subreaper, it becomes the parent of each process whose parent has ended. So killing its children until there are none
// ends all of them.
#include "caddis/process/supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/io/files.h"
#include "caddis/process/descriptor.h"

namespace caddis::process {
namespace {

void limit(__rlimit_resource resource, uint64_t most) {
  const rlimit bounds{most, most};
  (void)::setrlimit(resource, &bounds);
}

// In the child: becomes the program, or says why not.
[[noreturn]] void become(const std::vector<std::string>& command, const ProgramLimits& limits) {
  constexpr int kNotStarted = 127;
  (void)::setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) (void)std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  (void)::sigprocmask(SIG_SETMASK, &none, nullptr);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, limits.memory);
  (void)::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  (void)::execvp(arguments.front(), arguments.data());
  const std::string why = fmt::format("cannot start {}: {}\n", command.front(), std::strerror(errno));
  (void)!::write(STDERR_FILENO, why.data(), why.size());
  ::_exit(kNotStarted);
}

// The children of this process, which has one thread.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  const auto file = io::real_files().open_read(fmt::format("/proc/self/task/{}/children", ::getpid()));
  std::array<char, 4096> text{};
  if (!file) return found;
  const auto size = (*file)->read_at(0, text.data(), text.size());
  if (!size) return found;
  for (const std::string_view word : split({text.data(), *size}, ' '))
    if (const auto pid = parse_int(trim(word)); pid && *pid > 0) found.push_back(static_cast<pid_t>(*pid));
  return found;
}

// Ends the program and all that it has started. `status`: of the program, if it has ended already or ends now.
void end_all(pid_t program, int& status) {
  constexpr int kRounds = 1000, kPause = 10;  // milliseconds; one round for each generation is usual
  for (int round = 0; round < kRounds; ++round) {
    (void)::kill(-program, SIGKILL);
    for (const pid_t child : children()) (void)::kill(child, SIGKILL);
    pid_t ended = -1;
    int how = 0;
    while ((ended = ::waitpid(-1, &how, WNOHANG)) > 0)
      if (ended == program) status = how;
    if (ended < 0 && errno == ECHILD) return;
    (void)::poll(nullptr, 0, kPause);
  }
}

// Waits until the program has ended, its time is over, or the crawl says something.
char wait_for_end(pid_t program, Duration time, int signals, int& status) {
  const SteadyTime end = system_clock().steady() + time;
  while (true) {
    const Duration left = std::max<Duration>(end - system_clock().steady(), Duration::zero());
    std::array<pollfd, 2> waiting{{{kControl, POLLIN, 0}, {signals, POLLIN, 0}}};
    const auto millis = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(millis));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return kTimeIsOver;
    if (waiting[0].revents != 0) return kWasTold;
    signalfd_siginfo signal{};
    (void)!::read(signals, &signal, sizeof signal);
    if (::waitpid(program, &status, WNOHANG) == program) return kProgramEnded;
  }
}

void say(char what, int status) {
  constexpr size_t kSize = 5;
  std::array<char, kSize> message{what};
  for (size_t i = 1; i < kSize; ++i) message[i] = static_cast<char>(static_cast<unsigned>(status) >> (8 * (i - 1)));
  (void)!::send(kControl, message.data(), message.size(), MSG_NOSIGNAL);
}

}  // namespace

int run_supervised(const std::vector<std::string>& command, const ProgramLimits& limits) {
  (void)::prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) (void)std::signal(number, SIG_IGN);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  (void)::sigprocmask(SIG_BLOCK, &ends, nullptr);
  const Descriptor signals(::signalfd(-1, &ends, SFD_CLOEXEC));
  (void)::fcntl(kControl, F_SETFD, FD_CLOEXEC);
  const pid_t program = ::fork();
  if (program == 0) become(command, limits);
  // The other ends are to see when no process has these any more.
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, kDocument}) (void)::close(number);
  int status = 0;
  if (program < 0) return 1;
  const char how = wait_for_end(program, limits.time, signals.get(), status);
  end_all(program, status);
  say(how, status);
  return 0;
}

}  // namespace caddis::process
