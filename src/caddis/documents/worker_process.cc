#include "caddis/documents/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/documents/worker_messages.h"

extern char** environ;

namespace caddis::documents {
namespace {

constexpr Duration kStart = std::chrono::seconds(30);  // for the hello

// Closes a descriptor at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) (void)::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// Starts the command with its end of the socket, and no other descriptor but standard error.
Result<pid_t> spawn(const std::vector<std::string>& command, int socket) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, socket, kWorkerSocket);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, kWorkerSocket + 1);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, command.front().c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail_errno("cannot start a document worker (" + command.front() + ")", error);
  return pid;
}

// The bytes as a file without a name that nobody can change any more.
Result<int> sealed_file(std::string_view bytes) {
  Descriptor file(::memfd_create("document", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() < 0) return fail_errno("cannot hand over a document", errno);
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail_errno("cannot hand over a document", errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    return fail_errno("cannot seal a document", errno);
  return file.release();
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::vector<std::string>& command,
                                                            const Clock& clock) {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail_errno("cannot start a document worker", errno);
  Descriptor own(ends[0]);
  const Descriptor theirs(ends[1]);
  // A descriptor that is duplicated onto itself would be closed by the new program.
  Descriptor moved(theirs.get() == kWorkerSocket ? ::fcntl(theirs.get(), F_DUPFD_CLOEXEC, kWorkerSocket + 1) : -1);
  TRY(const pid_t pid, spawn(command, moved.get() >= 0 ? moved.get() : theirs.get()));
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess(pid, own.release(), clock));
  worker->last_used_ = clock.steady();
  return worker;
}

WorkerProcess::~WorkerProcess() {
  (void)::close(socket_);
  end_process();
}

// Once it has been waited for, its number may be that of another process.
void WorkerProcess::end_process() {
  if (std::exchange(has_ended_, true)) return;
  (void)::kill(pid_, SIGKILL);
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) continue;
}

bool WorkerProcess::is_alive() {
  if (!has_ended_) has_ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return !has_ended_;
}

Error WorkerProcess::ended() {
  end_process();  // it may have closed its socket, and run on
  const std::string how = WIFSIGNALED(status_) ? fmt::format("by signal {}", WTERMSIG(status_))
                                               : fmt::format("with exit code {}", WEXITSTATUS(status_));
  return {ErrorCode::closed, "the document worker was ended " + how};
}

Result<void> WorkerProcess::send(const Question& question, Duration time_limit) {
  TRY(const int number, sealed_file(question.bytes));
  const Descriptor file(number);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time_limit).count() + 1;
  Request request{.size = question.bytes.size(),
                  .links = question.limits.links,
                  .url_length = question.limits.url_length,
                  .unpacked = question.limits.unpacked,
                  .entries = question.limits.entries,
                  .seconds = static_cast<uint32_t>(seconds),
                  .format = static_cast<uint32_t>(question.format)};
  iovec piece{&request, sizeof request};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(rights), &number, sizeof number);
  ssize_t sent = 0;
  do sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  // The socket's buffer is empty: a request fits, or the other end is closed.
  if (sent != static_cast<ssize_t>(sizeof request)) return std::unexpected(ended());
  return {};
}

Result<void> WorkerProcess::receive(char* into, size_t size, SteadyTime deadline) {
  while (size > 0) {
    const Duration left = deadline - clock_.steady();
    pollfd waiting{socket_, POLLIN, 0};
    const auto millis = std::chrono::ceil<std::chrono::milliseconds>(std::max(left, Duration::zero())).count();
    const int ready = ::poll(&waiting, 1, static_cast<int>(millis));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return fail(ErrorCode::timeout, "the document worker does not answer");
    const ssize_t got = ::recv(socket_, into, size, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return std::unexpected(ended());
    into += got;
    size -= static_cast<size_t>(got);
  }
  return {};
}

Result<Found> WorkerProcess::read(const Question& question, Duration time_limit) {
  if (documents_ == 0) {
    char hello = 0;
    TRY_VOID(receive(&hello, 1, clock_.steady() + kStart));
    is_filtered_ = hello == kConfinedBySeccomp;
  }
  ++documents_;
  const SteadyTime deadline = clock_.steady() + time_limit;
  TRY_VOID(send(question, time_limit));
  std::array<unsigned char, 4> head{};
  if (auto got = receive(reinterpret_cast<char*>(head.data()), head.size(), deadline); !got) {
    if (got.error().code != ErrorCode::timeout) return std::unexpected(std::move(got).error());
    return fail(ErrorCode::timeout, "reading it takes longer than " + format_duration(time_limit));
  }
  uint64_t length = 0;
  for (size_t i = 0; i < head.size(); ++i) length |= uint64_t{head[i]} << (8 * i);
  if (length > longest_answer(question.limits))
    return fail(ErrorCode::corrupt, "the answer of the document worker is damaged");
  std::string bytes(length, '\0');
  TRY_VOID(receive(bytes.data(), bytes.size(), deadline));
  last_used_ = clock_.steady();
  return decode_answer(bytes, question.limits);
}

}  // namespace caddis::documents
