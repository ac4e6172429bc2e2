// The server of `caddis serve`: collections over HTTP, and as a proxy of the past if that is asked for. `caddis record`
// has one beside its proxy, too.
//
//   TRY(const auto site, ReplaySite::start(loop, network, options));
//   site->tell_addresses();
//   …
//   co_await site->stop();
//
// Belongs to the loop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "access_options.h"
#include "answer_limit_options.h"
#include "archive_door.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/replay/origins.h"
#include "serve_door.h"
#include "serve_proxy.h"
#include "web_preview.h"

namespace CLI {
class App;
}

namespace caddis::cli {

// An index server beside the pages. A collection shows the captures of the index of its name, too.
struct ServeIndexes {
  std::string listen;  // ADDR:PORT; empty: there is none
  std::string folder;  // of the indexes
};

// Several collections as one (aggregate.h).
struct ServeAggregates {
  std::vector<std::string> members;   // NAME=FIRST,SECOND
  std::vector<std::string> metadata;  // NAME=FILE
};

// Ways to the live web beside the archive: one of them, or none (null).
struct ServeLive {
  // Answers in place of the archive, which it is given.
  std::function<aio::Task<http::ServerResponse>(const http::ServerRequest&, const ArchiveDoor&)> instead;
  WebPreview::Fetch preview;
};

struct ServeOptions {
  std::string path = ".";
  std::string listen = "127.0.0.1:8080";
  std::string theme;   // a folder
  std::string launch;  // the only one that is shown
  std::string rules;   // a file of fuzzy.h
  ServeAggregates aggregates;
  replay::ServeNames names;
  AccessOptions access;
  ProxyOptions proxy;
  ServeDoorOptions door;
  AnswerLimitOptions limits;
  std::string access_rules;  // a file of access rules for all collections
  std::string sources;       // a file of sources for all collections
  size_t max_connections = http::ServerSettings().max_connections;
  size_t max_per_address = http::ServerSettings().max_per_address;
  std::string auto_index = "0s";
  ServeIndexes indexes;
  bool is_frameless = false;
  // That of another server of this process, which outlives it: whoever has logged in there has done so here, too.
  // `access.users` and `access.log_outs` are that one's. Null: one of its own if there are users.
  access::Gate* gate = nullptr;
  ServeLive live;
};

// Adds --base-path.
void add_base_path_option(CLI::App& command, replay::ServeNames& names);

class ReplaySite {
 public:
  // Listens. Loop and network outlive it; it has to be stopped.
  static Result<std::unique_ptr<ReplaySite>> start(aio::Loop& loop, aio::Network& network, const ServeOptions& options);
  ~ReplaySite();
  ReplaySite(const ReplaySite&) = delete;
  ReplaySite& operator=(const ReplaySite&) = delete;

  aio::Endpoint local() const;
  // Where all its servers listen.
  std::vector<aio::Endpoint> listeners() const;
  // Shows a collection that has come into the folder without waiting: it is whole. Any thread; it blocks. ErrorCode::io if
  // it cannot be shown.
  Result<void> show_at_once(const std::string& name);
  // Says on standard output where everything is.
  void tell_addresses() const;
  aio::Task<void> stop();

 private:
  struct Parts;
  explicit ReplaySite(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace caddis::cli
