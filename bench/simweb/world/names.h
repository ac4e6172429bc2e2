// Host names carry the host's number:
//
//   name      = [ prefix base36 "." ] "h" number ".s" site ".test"        number, site: base36, no leading zeros
//   prefix    = "w" (wildcard subdomain of a trap) / "c" (link of a CNAME chain)
//
// with site = number / 4: four hosts share a registrable domain. Internal to the world.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "simweb/world/page.h"
#include "simweb/world/settings.h"

namespace simweb {

inline constexpr size_t kMaxHostName = 64;

void append_base36(std::string& out, uint64_t number);
void append_decimal(std::string& out, uint64_t number);
void append_host_name(std::string& out, HostId id);

struct ParsedName {
  HostId id = 0;
  char prefix = 0;
  uint64_t number = 0;  // behind the prefix
};
// In any case, with or without the root's dot; nothing where it is none of these names.
std::optional<ParsedName> parse_host_name(std::string_view name);

bool is_https(const WebSettings& settings, HostId id);
void append_origin(std::string& out, const WebSettings& settings, HostId id, bool https);

}  // namespace simweb
