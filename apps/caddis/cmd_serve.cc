// caddis serve: the wayback machine over HTTP.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/engine/control_server.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/replay/wayback.h"
#include "commands.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct ServeOptions {
  std::string path = ".";
  std::string listen = "127.0.0.1:8080";
};

// Reading archives blocks: requests are answered on worker threads, the loop stays free for sockets.
aio::Task<http::ServerResponse> answer(replay::Wayback& wayback, aio::Blocking& workers, aio::Loop& loop,
                                       const http::ServerRequest& request) {
  http::ServerResponse response;
  std::function<void()> work = [&] { response = wayback.handle(request); };
  co_await workers.run(loop, std::move(work));
  co_return response;
}

aio::Task<void> serve_until_stopped(aio::Loop& loop, http::Server& server) {
  while (!stop_asked()) co_await aio::sleep_for(loop, std::chrono::milliseconds(100));
  co_await server.stop();
}

std::string url_of(const aio::Endpoint& local) {
  const bool ipv6 = local.address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", ipv6 ? "[" : "", local.address, ipv6 ? "]" : "", local.port);
}

Result<void> serve(const ServeOptions& options) {
  TRY(const aio::Endpoint at, engine::parse_endpoint(options.listen));
  TRY(auto collections, replay::open_collections(io::real_files(), system_clock(), options.path));
  replay::Wayback wayback(io::real_files(), std::move(collections));
  const auto loop = aio::make_loop(system_clock());
  const auto network = aio::make_network(*loop);
  const auto workers = aio::make_blocking(std::max(2u, std::thread::hardware_concurrency()));
  const http::Handler handler = [&](const http::ServerRequest& request) {
    return answer(wayback, *workers, *loop, request);
  };
  http::ServerSettings settings;
  settings.workers = workers.get();
  TRY(const auto server, http::Server::start(*loop, *network, at, handler, settings));
  for (const auto& collection : wayback.collections())
    tell(fmt::format("serving {} at {}{}/\n", collection->path(), url_of(server->local()), collection->name()), stdout);
  std::fflush(stdout);
  take_stop_signals();
  aio::run_to_end(*loop, serve_until_stopped(*loop, *server));
  return {};
}

}  // namespace

void add_serve_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("serve", "Replay an archive in the browser");
  command->footer("SIGINT (Ctrl-C) and SIGTERM stop it, and SIGHUP, unless it was ignored (nohup).");
  auto options = std::make_shared<ServeOptions>();
  command->add_option("path", options->path, "A collection, a folder of collections, or a WARC or ARC file")
      ->capture_default_str();
  command->add_option("--listen", options->listen, "ADDR:PORT; port 0 takes a free one, which is printed")
      ->capture_default_str();
  command->callback([options, &exit_code] {
    const auto served = serve(*options);
    if (served) return;
    tell(fmt::format("caddis serve: {}\n", served.error().message));
    exit_code = served.error().code == ErrorCode::config || served.error().code == ErrorCode::not_found ? 2 : 1;
  });
}

}  // namespace caddis::cli
