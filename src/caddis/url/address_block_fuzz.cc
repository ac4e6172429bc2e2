// Any bytes as an address and as a block: what parses has itself in it, and is judged alike in each of its forms.
#include <cstdint>
#include <string>

#include "caddis/base/check.h"
#include "caddis/url/address_block.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::url;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)AddressBlock::parse(text);
  const auto address = parse_address(text);
  if (!address) return 0;
  std::string written;
  append_ipv6(written, *address);
  CADDIS_CHECK(parse_address(written) == address);
  const auto range = special_range(*address);
  const auto block = AddressBlock::parse(written);
  CADDIS_CHECK(block && block->contains(*address) && stands_in(*block, *address));
  if (!range) return 0;
  const auto named = special_range_of_block(range->block);
  CADDIS_CHECK(named && named->number == range->number && range->number < kSpecialRanges);
  // What is refused of IPv4 is refused behind NAT64 and 6to4, too.
  if (!text.contains(':')) {
    for (const Ipv6& carried : {Ipv6{0x64, 0xff9b, 0, 0, 0, 0, (*address)[6], (*address)[7]},
                                Ipv6{0x2002, (*address)[6], (*address)[7], 0, 0, 0, 0, 1}}) {
      const auto same = special_range(carried);
      CADDIS_CHECK(same && same->number == range->number);
    }
  }
  return 0;
}
