#include "caddis/engine/job_world.h"

#include <fmt/format.h>
#include <sys/types.h>

#include <csignal>
#include <memory>
#include <mutex>
#include <set>

#include "caddis/base/strings.h"
#include "caddis/config/settings_file.h"
#include "caddis/io/held_file.h"
#include "caddis/process/child.h"

namespace caddis::engine {
namespace {

// The descriptor by which a crawl holds its file.
constexpr int kHeld = 3;
constexpr uint64_t kLongestNote = 64;

std::string held_file_of(const std::string& folder) { return folder + "/process"; }

// The processes that this one has started: whoever starts one has to take note of its end.
class Children {
 public:
  void add(pid_t pid) {
    const std::scoped_lock lock(guard_);
    pids_.insert(pid);
  }
  void forget_ended() {
    const std::scoped_lock lock(guard_);
    std::erase_if(pids_, process::has_ended);
  }

 private:
  std::mutex guard_;
  std::set<pid_t> pids_;
};

Result<void> start(Children& children, const ProcessRequest& request) {
  TRY(const io::HeldFile held, io::HeldFile::open(held_file_of(request.folder)));
  TRY_VOID(held.write(""));
  std::vector<std::string> command = {"/proc/self/exe"};
  command.insert(command.end(), request.arguments.begin(), request.arguments.end());
  TRY(const pid_t pid,
      process::spawn_detached(command, {{held.descriptor(), kHeld}},
                              {.folder = io::parent_path(request.folder), .output = request.folder + "/output.log"}));
  children.add(pid);
  return held.write(fmt::format("{}\n", pid));
}

void send_signal(io::Files& files, const std::string& folder, int signal) {
  const std::string path = held_file_of(folder);
  if (!io::is_held(path)) return;
  const auto note = files.read_all(path, kLongestNote);
  const auto pid = note ? parse_int(trim(*note)) : std::nullopt;
  if (pid && *pid > 1) (void)::kill(static_cast<pid_t>(*pid), signal);
}

}  // namespace

JobWorld real_job_world() {
  const auto children = std::make_shared<Children>();
  io::Files& files = io::real_files();
  return {
      .files = files,
      .clock = system_clock(),
      .start = [children](const ProcessRequest& request) { return start(*children, request); },
      .lives =
          [children](const std::string& folder) {
            children->forget_ended();
            return io::is_held(held_file_of(folder));
          },
      .end = [&files](const std::string& folder,
                      bool by_force) { send_signal(files, folder, by_force ? SIGKILL : SIGTERM); },
      .ask = control::ask_socket,
      .own_settings = [&files](config::Settings& settings) { return config::load_own_settings(files, settings); },
  };
}

}  // namespace caddis::engine
