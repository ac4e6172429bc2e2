// How many registrable domains link to a host, in eight bytes: each sets one of 64 bits, and from the bits that are not
// set follows about how many there were (linear counting). Up to fifty it is wrong by a tenth at most, mostly; more
// than 250 it cannot tell.
#pragma once

#include <cstdint>
#include <string_view>

namespace caddis::frontier {

// The bit of the page's domain; 0 where it is that of the host itself.
uint64_t referring_bit(std::string_view page, std::string_view host);
uint64_t referring_domains(uint64_t bits);

}  // namespace caddis::frontier
