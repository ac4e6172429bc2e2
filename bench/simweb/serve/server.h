// The served web: HTTP, HTTPS and DNS on loopback, and the judge who watches.
//
//   TRY(auto server, Server::create(settings, options, system_clock()));
//   ... server->ports() ...
//   server->run();                      // until stop(), which a signal handler may call
//   report_json(server->recorder(), ...)
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "simweb/judge/recorder.h"
#include "simweb/world/settings.h"

namespace simweb {

struct ServeOptions {
  uint16_t dns_port = 0;
  caddis::Duration idle_timeout = std::chrono::seconds(60);
  JudgeSettings judge;
};

struct Ports {
  uint16_t http = 0, https = 0, dns = 0;
};

class Server {
 public:
  // Ports of `settings` that are 0 are chosen by the system; the web's URLs carry those that were chosen.
  static caddis::Result<std::unique_ptr<Server>> create(WebSettings settings, const ServeOptions& options,
                                                        const caddis::Clock& clock);
  virtual ~Server() = default;

  virtual Ports ports() const = 0;
  virtual std::string authority_pem() const = 0;
  virtual const World& world() const = 0;
  virtual const Recorder& recorder() const = 0;  // not while run() runs in another thread
  virtual void run() = 0;
  virtual void stop() = 0;
};

}  // namespace simweb
