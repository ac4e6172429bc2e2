// The settings of the section `dns`, and what else a resolver goes by.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/settings/schema.h"

namespace caddis::dns {

// Only `servers`, `hosts` and `over_https` have rows in crawl.yaml.
struct Settings {
  std::vector<std::string> servers;  // "192.0.2.53", "192.0.2.53:5353", "[2001:db8::53]:53"; empty: the system's
  std::vector<std::string> hosts;    // fixed: "name=address[,address]"
  std::string over_https;            // the URL of a server that is asked instead (RFC 8484); empty: there is none
  bool system_hosts = true;          // /etc/hosts counts before the name servers
  bool ipv6 = true;
  Duration ttl_floor = std::chrono::hours(6);       // as in Heritrix: crawls do not chase short-lived answers
  Duration negative_ttl = std::chrono::minutes(5);  // for names that do not exist; other failures are not kept
  Duration timeout = std::chrono::seconds(5);       // for the first try; later ones wait longer
  int tries = 3;                                    // for each server
  Duration other_family = std::chrono::seconds(1);  // how long an answer with addresses waits for the other family's
  size_t cache_entries = 500'000;                   // the least recently used go first
};

// Whether `text` can stand among Settings::servers: an IPv4 or IPv6 address, with a port or without
// (ErrorCode::config).
Result<void> check_server(std::string_view text);
// The same for Settings::over_https: an https URL, or nothing.
Result<void> check_https_server(std::string_view text);
// The same for Settings::hosts.
Result<void> check_fixed_host(std::string_view text);

}  // namespace caddis::dns

namespace caddis::settings {
template <>
const Schema& schema_of<dns::Settings>();
}  // namespace caddis::settings
