#include "caddis/process/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "caddis/process/environment.h"

extern char** environ;

namespace caddis::process {
namespace {

// The things that a child does with its descriptors before it becomes another program.
class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void duplicate(int own, int number) { posix_spawn_file_actions_adddup2(&actions_, own, number); }
  void open_null(int number, int flags) { posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", flags, 0); }
  void detach(const Detached& how) {
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, how.output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, how.folder.c_str());
  }
  void close_from(int number) { posix_spawn_file_actions_addclosefrom_np(&actions_, number); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// As the system wants a list of words: the last is null. `words` outlive it.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

bool is_handed(const std::vector<Handed>& handed, int number) {
  return std::ranges::find(handed, number, &Handed::number) != handed.end();
}

// `how`: null for a child that ends with this process, or is waited for.
Result<pid_t> start(const std::vector<std::string>& command, const std::vector<Handed>& handed, const Detached* how) {
  constexpr int kBeyond = 16;  // of all numbers that a child has
  FileActions actions;
  std::vector<Descriptor> moved;
  int last = STDERR_FILENO;
  for (const Handed& one : handed) {
    // One that has the number of another would be overwritten.
    moved.emplace_back(::fcntl(one.own, F_DUPFD_CLOEXEC, kBeyond));
    if (moved.back().get() < 0) return fail_errno("cannot start " + command.front(), errno);
    actions.duplicate(moved.back().get(), one.number);
    last = std::max(last, one.number);
  }
  if (!is_handed(handed, STDIN_FILENO)) actions.open_null(STDIN_FILENO, O_RDONLY);
  if (how != nullptr)
    actions.detach(*how);
  else if (!is_handed(handed, STDOUT_FILENO))
    actions.open_null(STDOUT_FILENO, O_WRONLY);
  actions.close_from(last + 1);
  const std::vector<char*> arguments = pointers_to(command);
  const std::vector<std::string> few = environment_of_children(environ);
  const std::vector<char*> environment = pointers_to(few);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes,
                           static_cast<short>(POSIX_SPAWN_SETSIGMASK | (how == nullptr ? 0 : POSIX_SPAWN_SETSID)));
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, command.front().c_str(), actions.get(), &attributes, arguments.data(),
                                  how == nullptr ? environment.data() : environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return fail_errno("cannot start " + command.front(), error);
  return pid;
}

}  // namespace

Result<pid_t> spawn(const std::vector<std::string>& command, const std::vector<Handed>& handed) {
  return start(command, handed, nullptr);
}

Result<pid_t> spawn_detached(const std::vector<std::string>& command, const std::vector<Handed>& handed,
                             const Detached& how) {
  return start(command, handed, &how);
}

bool has_ended(pid_t pid) {
  int status = 0;
  return ::waitpid(pid, &status, WNOHANG) != 0;
}

Result<Descriptor> sealed_file(std::string_view bytes) {
  Descriptor file(::memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() < 0) return fail_errno("cannot hand over a file", errno);
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail_errno("cannot hand over a file", errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0 ||
      ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    return fail_errno("cannot seal a file", errno);
  return file;
}

Result<std::pair<Descriptor, Descriptor>> connected_pair() {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail_errno("cannot connect with a process", errno);
  return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

std::string how_it_ended(int status) {
  return WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                             : fmt::format("with exit code {}", WEXITSTATUS(status));
}

}  // namespace caddis::process
