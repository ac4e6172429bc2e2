// IPv4 and IPv6 addresses in hosts (URL Standard, sections 3.5 and 3.6): lenient to read, one way to write.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace caddis::url {

// True where the standard reads a domain as an IPv4 address (or fails): its last label is a number.
bool ends_in_a_number(std::string_view domain);

// "127.0.0.1", "0x7f.1", "2130706433"; nothing where it is malformed or too large.
std::optional<uint32_t> parse_ipv4(std::string_view text);
void append_ipv4(std::string& out, uint32_t address);

using Ipv6 = std::array<uint16_t, 8>;
// Without brackets. Zone identifiers are refused.
std::optional<Ipv6> parse_ipv6(std::string_view text);
// Without brackets; the first longest run of two or more zero pieces as "::".
void append_ipv6(std::string& out, const Ipv6& address);

}  // namespace caddis::url
