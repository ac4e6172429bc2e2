// What is fixed about a host.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simweb/world/page.h"

namespace simweb {

enum class Dns : uint8_t { ok, cname, nxdomain, servfail, timeout };
enum class Reach : uint8_t {
  normal,
  slow,  // every answer is delayed
  dead,  // connections are closed without an answer; has an address of its own kind, see is_dead_address
};
enum class Robots : uint8_t {
  none,         // 404
  rules,        //
  crawl_delay,  // rules and a Crawl-delay
  named,        // rules for the product, and all forbidden to everybody else
  retry,        // 503 for the first two requests, then rules
  huge,         // rules at the end of 480 KB
  redirect,     // to /robots-moved.txt, rules
  unavailable,  // 503, always: nothing may be fetched
  disallow_all,
};
std::string_view to_string(Dns dns);
std::string_view to_string(Reach reach);
std::string_view to_string(Robots robots);

struct HostFacts {
  HostId id = 0;
  uint64_t pages = 1;
  uint64_t inner = 1;    // pages below this number have children in the tree, and are always sound
  uint32_t address = 0;  // IPv4, host byte order
  Dns dns = Dns::ok;
  Reach reach = Reach::normal;
  Robots robots = Robots::none;
  uint8_t cnames = 0;        // length of the chain
  bool https = false;        // its only scheme
  bool rsa = false;          // its certificate; else ECDSA
  bool tls_tickets = false;  // offers session tickets
  bool sitemap = false;
  bool traps = false;
  uint32_t ttl = 0;          // seconds
  uint32_t crawl_delay = 0;  // ms; 0 without

  bool resolves() const { return dns == Dns::ok || dns == Dns::cname; }
  bool has_rules() const {
    return robots != Robots::none && robots != Robots::unavailable && robots != Robots::disallow_all;
  }
  // Its pages can be had. Where not, nothing links to any page but its home.
  bool open() const {
    return resolves() && reach != Reach::dead && robots != Robots::unavailable && robots != Robots::disallow_all;
  }
};

struct WebSettings;
// Whether a host speaks HTTP/2 with whoever offers it (ALPN).
bool speaks_http2(const WebSettings& settings, HostId id);

// What a host name stands for.
struct NamedHost {
  HostId id = 0;
  bool wildcard = false;   // a subdomain of a host with traps,
  uint64_t subdomain = 0;  // of this number
};

// How a name resolves. CNAMEs come in order: each record's owner is the name before it, the first one's the question.
struct DnsFacts {
  Dns outcome = Dns::nxdomain;  // `cname` where there is a chain; a name that is not of this web is nxdomain
  std::vector<std::string> cnames;
  uint32_t address = 0;
  uint32_t ttl = 0;
};

}  // namespace simweb
