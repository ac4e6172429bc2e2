#include "simweb/serve/dns_server.h"

#include <array>
#include <cerrno>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "simweb/serve/sockets.h"

namespace simweb {
namespace {

constexpr uint32_t negative_ttl = 60;

std::string address_bytes(uint32_t address) {
  std::string bytes(4, '\0');
  for (int i = 0; i < 4; ++i) bytes[static_cast<size_t>(i)] = static_cast<char>(address >> (24 - 8 * i) & 0xff);
  return bytes;
}

// The last two labels: all names of a zone are answered by one server.
std::string zone_of(const std::string& name) {
  const size_t last = name.rfind('.');
  if (last == std::string::npos || last == 0) return name.empty() ? "test" : name;
  const size_t before = name.rfind('.', last - 1);
  return before == std::string::npos ? name : name.substr(before + 1);
}

}  // namespace

std::optional<DnsReply> dns_reply(const World& world, const DnsQuery& query) {
  if (query.error != DnsCode::ok) return DnsReply{.code = query.error};
  if (query.record_class != 1 && query.record_class != dns_type::any) return DnsReply{.code = DnsCode::refused};
  const DnsFacts facts = world.resolve(query.name);
  DnsReply reply;
  switch (facts.outcome) {
    case Dns::timeout:
      return std::nullopt;
    case Dns::servfail:
      reply.code = DnsCode::server_failure;
      return reply;
    case Dns::nxdomain:
      reply = {.code = DnsCode::no_such_name, .zone = zone_of(query.name), .negative_ttl = negative_ttl};
      return reply;
    case Dns::ok:
    case Dns::cname:
      break;
  }
  std::string owner = query.name;
  for (const std::string& alias : facts.cnames) {
    reply.answers.push_back({owner, dns_type::cname, facts.ttl, alias});
    owner = alias;
    if (query.type == dns_type::cname) return reply;
  }
  if (query.type == dns_type::a || query.type == dns_type::any)
    reply.answers.push_back({owner, dns_type::a, facts.ttl, address_bytes(facts.address)});
  else
    reply = {.answers = std::move(reply.answers), .zone = zone_of(owner), .negative_ttl = negative_ttl};
  return reply;
}

caddis::Result<std::unique_ptr<DnsServer>> DnsServer::create(Site& site, uint16_t port) {
  TRY(BoundSocket socket, bind_datagrams(port));
  std::unique_ptr<DnsServer> server(new DnsServer(site, socket.release(), socket.port()));
  TRY_VOID(site.loop.watch(server->fd_, *server));
  return server;
}

DnsServer::~DnsServer() { close(fd_); }

void DnsServer::ready(uint32_t) {
  for (;;) {
    std::array<char, 4096> bytes;
    sockaddr_in peer{};
    socklen_t peer_size = sizeof(peer);
    const ssize_t size = recvfrom(fd_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&peer), &peer_size);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;
    const auto query = parse_dns_query({bytes.data(), static_cast<size_t>(size)});
    if (!query) continue;
    if (query->error == DnsCode::ok) site_.recorder.resolved(site_.world.resolve(query->name).outcome);
    const auto reply = dns_reply(site_.world, *query);
    if (!reply) continue;
    const std::string answer = encode_dns_reply(*query, *reply);
    // Full buffers lose the answer, as networks do; the asker asks again.
    sendto(fd_, answer.data(), answer.size(), 0, reinterpret_cast<const sockaddr*>(&peer), peer_size);
  }
}

}  // namespace simweb
