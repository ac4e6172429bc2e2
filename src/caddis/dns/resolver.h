// Host names to addresses: c-ares driven by a loop, a cache in front of it, and what is answered without asking
// anybody.
//
//   auto answer = co_await resolver.resolve(host);
//
// Answered here: address literals, `localhost` (RFC 6761), fixed hosts of the settings, the system's hosts file.
// Everything else is asked for A and (where ipv6 is on) AAAA records; both answers count together. Addresses of "any"
// (0.0.0.0, ::) are no answer. Concurrent questions for one name share one query. Belongs to one loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/dns/settings.h"

namespace caddis::dns {

struct Address {
  std::string text;  // "192.0.2.1", "2001:db8::1"
  bool v6 = false;
  bool operator==(const Address&) const = default;
};

struct Answer {
  std::string host;                // as asked, in lower case, without the root's dot
  std::vector<Address> addresses;  // IPv4 first, each family in the order of the answer; never empty
  Duration ttl{};                  // what the cache keeps it for: the smallest of the records, at least the floor
  std::vector<std::string>
      records;         // "www.example.org.\t300\tIN\tA\t192.0.2.1", CNAMEs first; empty where answered here
  std::string server;  // address of the name server; empty where answered here
  WallTime when{};     // when it was answered
  bool from_cache = false;
};

// Carries questions to a resolver in another way than c-ares does. Belongs to the resolver's loop.
class Transport {
 public:
  struct Reply {
    std::string message;  // as RFC 1035 section 4 has it
    uint32_t age = 0;     // seconds that it has lain in a cache: its records hold for so much less
  };
  virtual ~Transport() = default;
  // ErrorCode::timeout, io: there is no reply.
  virtual aio::Task<Result<Reply>> ask(std::string message) = 0;
  // The server's address.
  virtual std::string server() const = 0;
  // Fails every question from now on.
  virtual void abort() = 0;
};

class Resolver {
 public:
  virtual ~Resolver() = default;
  // Ends what is asked still, before the loop ends.
  virtual aio::Task<void> end() { co_return; }
  // ErrorCode::not_found: there is no such name, or it has no address. ErrorCode::timeout, io: try later.
  virtual aio::Task<Result<Answer>> resolve(std::string host) = 0;
};

// ErrorCode::config: a server or fixed host of the settings is malformed. `loop` has to be a real one, and outlive the
// resolver; no query may be running when the resolver goes.
Result<std::unique_ptr<Resolver>> make_resolver(aio::Loop& loop, const Settings& settings);
// Asks by `transport` in place of the settings' servers. `end` has to be called.
Result<std::unique_ptr<Resolver>> make_resolver(aio::Loop& loop, const Settings& settings,
                                                std::unique_ptr<Transport> transport);

// Answers from a table alone, for the simulated world and tests: host to addresses; other names do not exist.
std::unique_ptr<Resolver> make_table_resolver(const Clock& clock,
                                              std::map<std::string, std::vector<std::string>> hosts);

// The block of a `dns:` record, media type text/dns: a 14-digit date line, then one record a line.
std::string dns_record_body(const Answer& answer, WallTime when);

}  // namespace caddis::dns
