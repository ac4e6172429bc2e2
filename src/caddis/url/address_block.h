// IP addresses and blocks of them, and which belong to no public network: IANA's registries of special-purpose
// addresses for IPv4 and IPv6 (RFC 6890, RFC 8190), multicast (RFC 5771, RFC 4291), and what IANA has not given out.
// Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/url/ip.h"

namespace caddis::url {

// "192.0.2.1" (as ::ffff:192.0.2.1, which is the same address), "2001:db8::1"; with brackets, too. Nothing where it is
// none.
std::optional<Ipv6> parse_address(std::string_view text);

class AddressBlock {
 public:
  // "10.0.0.0/8", "fc00::/7", or an address, which is a block of its own. ErrorCode::config where it is neither.
  static Result<AddressBlock> parse(std::string_view text);
  bool contains(const Ipv6& address) const;

 private:
  AddressBlock(const Ipv6& first, int bits) : first_(first), bits_(bits) {}
  Ipv6 first_;
  int bits_;  // of the prefix, 0 to 128
};

// A range of addresses that are no public host's: what people mean who name one address of it. The loopback addresses
// of both families are one.
struct SpecialRange {
  unsigned number = 0;     // less than kSpecialRanges; may change between versions
  std::string_view block;  // its first block, by which it is known for good: "127.0.0.0/8"
  std::string_view what;   // "loopback"
};
inline constexpr unsigned kSpecialRanges = 64;  // at most

// Nothing for a public address. One that stands for an IPv4 address (mapped, NAT64, 6to4, Teredo) is in the range of
// that.
std::optional<SpecialRange> special_range(const Ipv6& address);
// That of `SpecialRange::block`; nothing where there is none any more.
std::optional<SpecialRange> special_range_of_block(std::string_view block);

// Whether one of `block` has the address, or an IPv4 address that it stands for.
bool stands_in(const AddressBlock& block, const Ipv6& address);

}  // namespace caddis::url
