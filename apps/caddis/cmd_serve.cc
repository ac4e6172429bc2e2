// caddis serve: the wayback machine over HTTP.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <memory>

#include "access_options.h"
#include "caddis/access/answers.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/control/endpoint.h"
#include "commands.h"
#include "file_limit.h"
#include "live_web.h"
#include "replay_site.h"
#include "serve_door.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct ServeCommand {
  ServeOptions serve;
  LiveWebOptions live;
};

// `live` may be null.
aio::Task<void> serve_until_stopped(aio::Loop& loop, ReplaySite& site, LiveWeb* live) {
  while (!stop_asked()) co_await aio::sleep_for(loop, std::chrono::milliseconds(100));
  // The site may wait for what is fetched.
  if (live != nullptr) live->abort();
  co_await site.stop();
  if (live != nullptr) co_await live->end();
}

// Before anything is made.
Result<void> check_live(const ServeCommand& command) {
  if (!command.live.is_on) {
    if (command.live.config.empty() && command.live.settings.empty()) return {};
    return fail(ErrorCode::config, "--config and --set are settings of what --live fetches: give that, too");
  }
  const ServeOptions& options = command.serve;
  TRY(const aio::Endpoint at, control::parse_endpoint(options.listen));
  if (!access::is_loopback(at.address))
    return fail(ErrorCode::config,
                fmt::format("--live: others can reach {}, and could have anything fetched by this machine. Give "
                            "--listen an address of this machine alone (127.0.0.1:8080)",
                            options.listen));
  if (!options.access.users.empty())
    return fail(
        ErrorCode::config,
        "--live cannot be used with --users: pages in frames have addresses with a key in place of a log-in, by "
        "which nothing is fetched");
  if (!options.names.own.empty() && options.names.captures.empty())
    return fail(ErrorCode::config,
                "--live with --public-name needs --captures-host, since the live web is shown under a host of its own");
  return {};
}

Result<void> serve(ServeCommand& command) {
  raise_file_limit();
  TRY_VOID(check_live(command));
  const auto loop = aio::make_loop(system_clock());
  const auto network = aio::make_network(*loop);
  std::unique_ptr<LiveWeb> live;
  if (command.live.is_on) {
    TRY(live, LiveWeb::open(*loop, *network, command.live));
    command.serve.live.preview = [web = live.get()](const http::ServerRequest& asked, const url::Url& url,
                                                    const std::string& via) { return web->fetch(asked, url, via); };
  }
  const auto site = ReplaySite::start(*loop, *network, command.serve);
  if (!site) {
    if (live) aio::run_to_end(*loop, live->end());
    return std::unexpected(site.error());
  }
  if (live) live->forbid((*site)->listeners());
  (*site)->tell_addresses();
  take_stop_signals();
  aio::run_to_end(*loop, serve_until_stopped(*loop, **site, live.get()));
  return {};
}

}  // namespace

void add_serve_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("serve", "Replay an archive in the browser");
  command->footer("Ctrl-C (SIGINT), SIGTERM and SIGHUP stop it; SIGHUP does not if it is ignored (nohup).");
  auto all = std::make_shared<ServeCommand>();
  ServeOptions* const options = &all->serve;
  command
      ->add_option("path,--collection", options->path,
                   "A collection, a folder of collections, or a WARC, ARC or WACZ file")
      ->capture_default_str();
  command->add_option("--listen", options->listen, "ADDR:PORT; port 0 takes a free one, which is printed")
      ->capture_default_str();
  command->add_option("--theme", options->theme,
                      "FOLDER with the archive's own name, logo, colours and words (docs/branding.md)");
  command->add_option("--proxy", options->proxy.listen,
                      "ADDR:PORT where browsers find the archive as an HTTP proxy, and browse the past");
  command->add_option("--proxy-folder", options->proxy.folder,
                      "FOLDER that keeps the proxy's certificate authority [~/.config/caddis]");
  command->add_option("--replay-rules", options->rules,
                      "FILE of rules which URLs stand for the same, besides the built-in ones (docs/serving.md)");
  command->add_option("--launch", options->launch,
                      "Show only what this launch has captured: a name in crawls/ or indexes/");
  command
      ->add_option("--aggregate", options->aggregates.members,
                   "Several collections as one, besides each of its own (repeatable); NAME=* for all")
      ->option_text("NAME=FIRST,SECOND");
  command
      ->add_option("--aggregate-metadata", options->aggregates.metadata,
                   "Title and description of an aggregate, in a file as metadata.yaml of a collection (repeatable)")
      ->option_text("NAME=FILE");
  command->add_option("--public-name", options->names.own,
                      "NAME under which people reach the archive, besides addresses and localhost (repeatable)");
  add_base_path_option(*command, options->names);
  add_access_options(*command, options->access, false);
  command->add_option("--captures-host", options->names.captures,
                      "Host names for captured pages, one for each collection: {collection}.replay.example.org");
  command
      ->add_option("--access-rules", options->access_rules,
                   "Rules about who may see which captures, for all collections (caddis access); besides, each has its "
                   "own in access.yaml")
      ->option_text("FILE");
  command
      ->add_option(
          "--sources", options->sources,
          "Where records and captures of all collections lie besides their own folders (docs/formats/sources.md); "
          "besides, each may have a sources.yaml")
      ->option_text("FILE");
  command->add_flag(
      "--frameless", options->is_frameless,
      "Show captures as windows of their own, without banner and frame, which hold them less (docs/serving.md)");
  add_door_options(*command, options->door);
  add_answer_limit_options(*command, options->limits);
  command
      ->add_option("--index-data", options->indexes.folder,
                   "Indexes that take lines while they are asked, as of caddis index serve; a collection shows the "
                   "captures of the one of its name, too")
      ->option_text("FOLDER");
  command
      ->add_option("--index-listen", options->indexes.listen,
                   "Where lines for these indexes come in (docs/index-server.md); port 0 takes a free one")
      ->option_text("ADDR:PORT");
  command->add_option("--max-connections", options->max_connections, "At most so many connections at the same time")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--connections-per-address", options->max_per_address,
                   "At most so many connections of one address; 0 for any number, as behind a reverse proxy, whose "
                   "address all clients have")
      ->capture_default_str();
  command
      ->add_option("--auto-index", options->auto_index,
                   "Index archive files that are put into the folders of a collection, looking every so often: 30s")
      ->capture_default_str();
  add_live_options(*command, all->live);
  command->callback([all, &exit_code] {
    const auto served = serve(*all);
    if (served) return;
    tell(fmt::format("caddis serve: {}\n", served.error().message));
    exit_code = served.error().code == ErrorCode::config || served.error().code == ErrorCode::not_found ? 2 : 1;
  });
}

}  // namespace caddis::cli
