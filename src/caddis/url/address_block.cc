#include "caddis/url/address_block.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"

namespace caddis::url {
namespace {

constexpr int kIpv4Bits = 96;  // in front of an IPv4 address: ::ffff:0:0/96

Ipv6 mapped(uint32_t ipv4) {
  return {0, 0, 0, 0, 0, 0xffff, static_cast<uint16_t>(ipv4 >> 16), static_cast<uint16_t>(ipv4)};
}

bool is_ipv4(const Ipv6& address) {
  return address[5] == 0xffff &&
         std::all_of(address.begin(), address.begin() + 5, [](uint16_t part) { return part == 0; });
}

Ipv6 masked(Ipv6 address, int bits) {
  for (int part = 0; part < 8; ++part) {
    const int kept = std::clamp(bits - 16 * part, 0, 16);
    address[static_cast<size_t>(part)] &= static_cast<uint16_t>(0xffff0000U >> kept);
  }
  return address;
}

struct Row {
  std::string_view block, range, what;
};

// The narrower before the wider. A seed in a block means the block (all of `range`).
constexpr auto kRows = std::to_array<Row>({
    {"127.0.0.0/8", "127.0.0.0/8", "loopback"},
    {"::1/128", "127.0.0.0/8", "loopback"},
    {"0.0.0.0/8", "0.0.0.0/8", "this machine"},
    {"::/128", "0.0.0.0/8", "this machine"},
    {"10.0.0.0/8", "10.0.0.0/8", "private"},
    {"172.16.0.0/12", "172.16.0.0/12", "private"},
    {"192.168.0.0/16", "192.168.0.0/16", "private"},
    {"100.64.0.0/10", "100.64.0.0/10", "shared by a provider's customers"},
    {"169.254.0.0/16", "169.254.0.0/16", "link-local"},
    {"192.0.0.0/24", "192.0.0.0/24", "reserved for protocols"},
    {"192.0.2.0/24", "192.0.2.0/24", "for documentation"},
    {"198.51.100.0/24", "198.51.100.0/24", "for documentation"},
    {"203.0.113.0/24", "203.0.113.0/24", "for documentation"},
    {"192.88.99.0/24", "192.88.99.0/24", "reserved"},
    {"198.18.0.0/15", "198.18.0.0/15", "for benchmarks"},
    {"224.0.0.0/4", "224.0.0.0/4", "multicast"},
    {"255.255.255.255/32", "255.255.255.255/32", "broadcast"},
    {"240.0.0.0/4", "240.0.0.0/4", "reserved"},
    {"fc00::/7", "fc00::/7", "private"},
    {"fe80::/10", "fe80::/10", "link-local"},
    {"fec0::/10", "fec0::/10", "site-local"},
    {"ff00::/8", "ff00::/8", "multicast"},
    {"64:ff9b:1::/48", "64:ff9b:1::/48", "for translation within a network"},
    {"100::/64", "100::/64", "for discarding"},
    {"2001:2::/48", "2001:2::/48", "for benchmarks"},
    {"2001::/23", "2001::/23", "reserved for protocols"},
    {"2001:db8::/32", "2001:db8::/32", "for documentation"},
    {"3fff::/20", "3fff::/20", "for documentation"},
    {"5f00::/16", "5f00::/16", "for segment routing"},
    // All but 2000::/3.
    {"::/3", "::/3", "not given out"},
    {"4000::/2", "4000::/2", "not given out"},
    {"8000::/1", "8000::/1", "not given out"},
});
static_assert(kRows.size() <= kSpecialRanges);

unsigned number_of(std::string_view range) {
  return static_cast<unsigned>(std::ranges::find(kRows, range, &Row::block) - kRows.begin());
}

const std::vector<AddressBlock>& blocks() {
  static const std::vector<AddressBlock> parsed = [] {
    std::vector<AddressBlock> made;
    for (const Row& row : kRows) {
      auto block = AddressBlock::parse(row.block);
      CADDIS_CHECK(block.has_value() && number_of(row.range) < kRows.size());
      made.push_back(*block);
    }
    return made;
  }();
  return parsed;
}

uint32_t two_parts(const Ipv6& address, size_t at) { return uint32_t{address[at]} << 16 | address[at + 1]; }

// The IPv4 addresses that an IPv6 address stands for; none for IPv4 itself.
struct Embedded {
  std::array<Ipv6, 2> addresses;
  size_t count = 0;
  void add(uint32_t ipv4) { addresses[count++] = mapped(ipv4); }
  auto begin() const { return addresses.begin(); }
  auto end() const { return addresses.begin() + count; }
};

Embedded embedded_in(const Ipv6& address) {
  Embedded found;
  const auto begins = [&address](std::initializer_list<uint16_t> parts) {
    return std::equal(parts.begin(), parts.end(), address.begin());
  };
  if (begins({0x64, 0xff9b, 0, 0, 0, 0})) found.add(two_parts(address, 6));  // NAT64, RFC 6052
  if (begins({0, 0, 0, 0, 0xffff, 0})) found.add(two_parts(address, 6));     // SIIT, RFC 2765
  if (begins({0x2002})) found.add(two_parts(address, 1));                    // 6to4, RFC 3056
  if (begins({0x2001, 0})) {                                                 // Teredo, RFC 4380: server, client
    found.add(two_parts(address, 2));
    found.add(~two_parts(address, 6));
  }
  return found;
}

std::optional<SpecialRange> range_of_row(size_t row) {
  return SpecialRange{number_of(kRows[row].range), kRows[row].range, kRows[row].what};
}

std::optional<SpecialRange> range_by_table(const Ipv6& address) {
  for (size_t row = 0; row < kRows.size(); ++row)
    if (blocks()[row].contains(address)) return range_of_row(row);
  return std::nullopt;
}

}  // namespace

std::optional<Ipv6> parse_address(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (text.contains(':')) return parse_ipv6(text);
  // Not as hosts are read: 10.1 and 010.0.0.1 are errors where addresses are written.
  in_addr ipv4{};
  if (inet_pton(AF_INET, std::string(text).c_str(), &ipv4) != 1) return std::nullopt;
  return mapped(ntohl(ipv4.s_addr));
}

Result<AddressBlock> AddressBlock::parse(std::string_view text) {
  const size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address)
    return fail(
        ErrorCode::config,
        fmt::format("'{}' is no address and no block of addresses; write 10.1.2.3, 10.0.0.0/8 or fc00::/7", text));
  const bool four = is_ipv4(*address) && !text.substr(0, slash).contains(':');
  const int most = four ? 32 : 128;
  int bits = most;
  if (slash != std::string_view::npos) {
    const auto given = parse_int(text.substr(slash + 1));
    if (!given || *given < 0 || *given > most)
      return fail(ErrorCode::config, fmt::format("'{}': behind the slash stands a number from 0 to {}", text, most));
    bits = static_cast<int>(*given);
  }
  if (four) bits += kIpv4Bits;
  if (masked(*address, bits) != *address)
    return fail(ErrorCode::config, fmt::format("'{}' is no block: its address has bits behind the first {}", text,
                                               four ? bits - kIpv4Bits : bits));
  return AddressBlock(*address, bits);
}

bool AddressBlock::contains(const Ipv6& address) const {
  // No IPv6 block has IPv4 addresses, but one of mapped addresses.
  if (bits_ < kIpv4Bits && is_ipv4(address)) return false;
  return masked(address, bits_) == first_;
}

std::optional<SpecialRange> special_range(const Ipv6& address) {
  const Embedded embedded = embedded_in(address);
  for (const Ipv6& inner : embedded)
    if (const auto range = range_by_table(inner)) return range;
  if (embedded.count > 0) return std::nullopt;
  return range_by_table(address);
}

std::optional<SpecialRange> special_range_of_block(std::string_view block) {
  const auto found = std::ranges::find(kRows, block, &Row::range);
  if (found == kRows.end()) return std::nullopt;
  return range_of_row(static_cast<size_t>(found - kRows.begin()));
}

bool stands_in(const AddressBlock& block, const Ipv6& address) {
  return block.contains(address) ||
         std::ranges::any_of(embedded_in(address), [&block](const Ipv6& inner) { return block.contains(inner); });
}

}  // namespace caddis::url
