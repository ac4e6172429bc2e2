// caddis index serve: an index server (OutbackCDX's API) over a folder of indexes.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "access_options.h"
#include "answer_limit_options.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdxserver/follower.h"
#include "caddis/cdxserver/index_folder.h"
#include "caddis/control/endpoint.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "file_limit.h"
#include "index_commands.h"
#include "index_site.h"
#include "request_door.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct IndexServeOptions {
  std::string data;
  std::string listen = "127.0.0.1:8081";
  AccessOptions access;
  std::string key_policy, checkpoints;
  std::string memory = "256MB", keep_changes = "0s";
  RequestDoorOptions requests;
  AnswerLimitOptions limits;
  size_t max_connections = http::ServerSettings().max_connections;
  size_t max_per_address = http::ServerSettings().max_per_address;
  bool read_only = false;
  std::vector<std::string> primaries;
  std::string primary_token_file;
  std::string follow_every = "10s";
};

Result<cdx::CaptureStoreOptions> store_options(const IndexServeOptions& options) {
  cdx::CaptureStoreOptions store;
  store.key_policy = options.key_policy;
  TRY(const long long memory, parse_size(options.memory));
  if (memory < (16 << 20)) return fail(ErrorCode::config, "--memory is at least 16MB");
  store.store.cache_bytes = static_cast<size_t>(memory) / 2;
  store.store.write_buffer_bytes = static_cast<size_t>(memory) / 4;
  TRY(store.store.keep_changes, parse_duration(options.keep_changes));
  return store;
}

Result<cdxserver::IndexServerOptions> server_options(const IndexServeOptions& options) {
  cdxserver::IndexServerOptions server;
  TRY(server.limits, answer_limits(options.limits));
  server.checkpoint_folder = options.checkpoints;
  for (const std::string& primary : options.primaries) server.followed.insert(cdxserver::followed_name(primary));
  server.takes_rules = !options.read_only && options.primaries.empty();
  server.is_read_only = options.read_only || !options.primaries.empty();
  return server;
}

using Followers = std::vector<std::unique_ptr<cdxserver::Follower>>;

aio::Task<void> serve_until_stopped(aio::Loop& loop, IndexSite& site, const Followers& followers) {
  aio::Nursery nursery;
  for (const auto& follower : followers) nursery.spawn(follower->run());
  while (!stop_asked()) co_await aio::sleep_for(loop, std::chrono::milliseconds(100));
  for (const auto& follower : followers) follower->stop();
  co_await nursery.join();
  co_await site.stop();
}

Result<void> serve(const IndexServeOptions& options) {
  raise_file_limit();
  TRY(const cdx::CaptureStoreOptions store, store_options(options));
  IndexSiteOptions how;
  how.listen = options.listen;
  how.max_connections = options.max_connections;
  how.max_per_address = options.max_per_address;
  TRY(how.server, server_options(options));
  TRY_VOID(io::real_files().make_dirs(options.data));
  const auto loop = aio::make_loop(system_clock());
  const auto network = aio::make_network(*loop);
  // More than there are processors: most of their time goes into waiting for a disk.
  const auto workers = aio::make_blocking(std::max(8u, 2 * std::thread::hardware_concurrency()));
  cdxserver::IndexFolder folder(io::real_files(), system_clock(), options.data, store);
  Followers followers;
  std::string token;
  if (!options.primary_token_file.empty()) {
    TRY(const std::string text, io::real_files().read_all(options.primary_token_file, 4096));
    token = trim(text);
  }
  for (const std::string& primary : options.primaries) {
    cdxserver::FollowerOptions follow;
    follow.primary = primary;
    follow.token = token;
    TRY(follow.every, parse_duration(options.follow_every));
    followers.push_back(std::make_unique<cdxserver::Follower>(*loop, *workers, folder, follow));
  }
  TRY(const auto door, RequestDoor::open(*loop, *workers, options.requests, options.access.proxies));
  TRY(const auto site, IndexSite::start({*loop, *network, *workers, folder, *door}, std::move(how), options.access));
  for (const std::string& url : control::openable_urls(site->local(), options.access.scheme()))
    tell(fmt::format("serving the indexes of {} at {}\n", options.data, url), stdout);
  std::fflush(stdout);
  take_stop_signals();
  aio::run_to_end(*loop, serve_until_stopped(*loop, *site, followers));
  return {};
}

}  // namespace

void add_index_serve_command(CLI::App& index, int& exit_code) {
  CLI::App* command =
      index.add_subcommand("serve", "Serve indexes that take lines while they are asked (OutbackCDX's API)");
  command->footer("Ctrl-C (SIGINT), SIGTERM and SIGHUP stop it; SIGHUP does not if it is ignored (nohup).");
  auto options = std::make_shared<IndexServeOptions>();
  command->add_option("--data", options->data, "The folder of the indexes; each has a folder there")->required();
  command->add_option("--listen", options->listen, "ADDR:PORT; port 0 takes a free one, which is printed")
      ->capture_default_str();
  add_access_options(*command, options->access, true);
  command
      ->add_option("--key-policy", options->key_policy,
                   "The policy that makes the keys of new indexes, ia-surt if it is not given")
      ->type_name("NOTATION");
  command->add_option("--checkpoint-dir", options->checkpoints, "The folder in which checkpoints are made")
      ->type_name("DIR");
  command->add_option("--memory", options->memory, "For the blocks and new rows of each index")->capture_default_str();
  command
      ->add_option("--keep-changes", options->keep_changes,
                   "So long changes are kept for servers that follow an index: 7d")
      ->capture_default_str();
  add_request_door_options(*command, options->requests);
  add_answer_limit_options(*command, options->limits);
  command
      ->add_option(
          "--primary", options->primaries,
          "Follow this index of another server, as http://other.example:8081/NAME, with its access rules, and take no "
          "lines (repeatable). If it asks for a log-in: http://USER:PASSWORD@other.example:8081/NAME")
      ->type_name("URL");
  command
      ->add_option("--primary-token-file", options->primary_token_file,
                   "A file with a token (caddis users token) that is sent to the others, where the address has no user")
      ->type_name("FILE");
  command->add_option("--follow-every", options->follow_every, "Ask the others for changes so often")
      ->capture_default_str();
  command->add_flag("--read-only", options->read_only, "Take no lines, and no rules of access");
  command->add_option("--max-connections", options->max_connections, "At most so many connections at the same time")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--connections-per-address", options->max_per_address,
                   "At most so many connections of one address; 0 for any number, as behind a reverse proxy")
      ->capture_default_str();
  command->callback([options, &exit_code] {
    const auto served = serve(*options);
    if (!served) exit_code = report_index_error(served.error());
  });
}

}  // namespace caddis::cli
