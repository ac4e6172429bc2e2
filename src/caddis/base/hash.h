// A fast keyed 64-bit hash for tables and fingerprints. Its values are written to disk (seen-set, partitions): the
// function is fixed for ever; golden values stand in hash_test.cc.
#pragma once

#include <cstdint>
#include <string_view>

namespace caddis {

// SipHash-2-4 with the key (k0, k1): hostile pages cannot choose URLs that collide.
uint64_t siphash(std::string_view bytes, uint64_t k0, uint64_t k1);

}  // namespace caddis
