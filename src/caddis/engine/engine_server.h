// The engine's HTTP server: on the Unix socket `engine.sock` in the folder of the jobs, which its owner alone can
// open, and on TCP addresses, where a gate (access::Gate) says who asks. Parts of the engine are mounted at prefixes of paths.
//
// Runs on one loop. Mounts answer on it; what blocks they take to workers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/access/identity.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"

namespace caddis::access {
class Gate;
}

namespace caddis::engine {

using MountHandler =
    std::function<aio::Task<http::ServerResponse>(const http::ServerRequest&, const access::Identity&)>;

struct Mount {
  std::string prefix;  // "/api": "/api" itself, and all below "/api/". "/": all that no other has
  MountHandler answer;
  // The role that a request needs. Without it: viewer for GET and HEAD, manager for all else. Role::none: the gate is not
  // asked.
  std::function<access::Role(const http::ServerRequest&)> needs = {};
};

// A mount that every viewer may read, and nobody may change: other methods than GET and HEAD are answered 405.
Mount read_only(std::string prefix, MountHandler answer);
// The same for strangers, too.
Mount open_read_only(std::string prefix, MountHandler answer);

// The mount with the longest prefix; null if there is none.
const Mount* find_mount(const std::vector<Mount>& mounts, std::string_view path);

struct EngineServerOptions {
  std::string socket;                // the path; empty: none
  aio::Blocking* workers = nullptr;  // where bodies are read
};

class EngineServer {
 public:
  // The gate must outlive the server. Without one only the socket may be used.
  static Result<std::unique_ptr<EngineServer>> start(aio::Loop& loop, const EngineServerOptions& options,
                                                     std::vector<Mount> mounts, access::Gate* gate);
  // Answers there, too, whoever the gate lets in.
  void listen_on(std::unique_ptr<aio::Listener> listener);
  aio::Task<void> stop();

 private:
  EngineServer(aio::Loop& loop, const EngineServerOptions& options, std::vector<Mount> mounts, access::Gate* gate);
  static http::ServerSettings settings_of(const EngineServerOptions& options);
  static aio::Task<http::ServerResponse> answer_of(const Mount* mount, const http::ServerRequest& request,
                                                   const access::Identity& identity);
  aio::Task<http::ServerResponse> respond(const http::ServerRequest& request, bool is_owner);

  aio::Loop& loop_;
  const http::ServerSettings settings_;
  const std::vector<Mount> mounts_;
  access::Gate* const gate_;
  std::unique_ptr<aio::Network> network_;
  std::vector<std::unique_ptr<http::Server>> servers_;
};

}  // namespace caddis::engine
