// The things outside of the engine that a job needs: files, clock, processes, and crawls that can be asked.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/config/settings.h"
#include "caddis/control/control_client.h"
#include "caddis/io/files.h"

namespace caddis::engine {

// A process of `caddis crawl` for the launch in `folder`.
struct ProcessRequest {
  std::string folder;
  std::vector<std::string> arguments;  // behind "caddis"
};

// All of it outlives the jobs. Any thread.
struct JobWorld {
  io::Files& files;
  const Clock& clock;
  // Starts one that outlives this process.
  std::function<Result<void>(const ProcessRequest&)> start;
  // Whether the process of the launch in that folder lives.
  std::function<bool(const std::string& folder)> lives;
  // Asks it to end in good order, or ends it at once.
  std::function<void(const std::string& folder, bool by_force)> end;
  // control::ask_socket, or a stand-in.
  std::function<Result<control::SocketAnswer>(const std::string& socket, const control::Question&, Duration patience)>
      ask;
  // How long a crawl that was asked to end may take before its process is killed; zero: for ever. Reports and the index
  // of a large crawl take minutes.
  Duration longest_end{};
  // Settings that a crawl begins with before its own file is laid over them (config::load_own_settings).
  std::function<Result<void>(config::Settings&)> own_settings = {};
};

// Processes of this executable.
JobWorld real_job_world();

}  // namespace caddis::engine
