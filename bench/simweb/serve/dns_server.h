// The name server of the web: UDP on loopback, answers from World::resolve.
#pragma once

#include <cstdint>
#include <memory>

#include "simweb/serve/dns_message.h"
#include "simweb/serve/loop.h"
#include "simweb/serve/site.h"

namespace simweb {

// What is answered to a well-formed question; nothing where the name's server stays silent. Pure.
std::optional<DnsReply> dns_reply(const World& world, const DnsQuery& query);

class DnsServer : public Handler {
 public:
  // On 127.0.0.1; `port` 0: any.
  static caddis::Result<std::unique_ptr<DnsServer>> create(Site& site, uint16_t port);
  ~DnsServer() override;

  void ready(uint32_t events) override;
  uint16_t port() const { return port_; }

 private:
  DnsServer(Site& site, int fd, uint16_t port) : site_(site), fd_(fd), port_(port) {}

  Site& site_;
  const int fd_;
  const uint16_t port_;
};

}  // namespace simweb
