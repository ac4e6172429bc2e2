#include "caddis/base/hash.h"

#include <bit>
#include <cstring>

namespace caddis {
namespace {

struct Sip {
  uint64_t v0, v1, v2, v3;
  void round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
};

uint64_t load64(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  static_assert(std::endian::native == std::endian::little);
  return word;
}

}  // namespace

uint64_t siphash(std::string_view bytes, uint64_t k0, uint64_t k1) {
  Sip sip{k0 ^ 0x736f6d6570736575ULL, k1 ^ 0x646f72616e646f6dULL, k0 ^ 0x6c7967656e657261ULL,
          k1 ^ 0x7465646279746573ULL};
  const char* p = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) {
    const uint64_t word = load64(p);
    sip.v3 ^= word;
    sip.round();
    sip.round();
    sip.v0 ^= word;
  }
  uint64_t last = static_cast<uint64_t>(bytes.size()) << 56;
  for (size_t i = 0; i < left; ++i) last |= static_cast<uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
  sip.v3 ^= last;
  sip.round();
  sip.round();
  sip.v0 ^= last;
  sip.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) sip.round();
  return sip.v0 ^ sip.v1 ^ sip.v2 ^ sip.v3;
}

}  // namespace caddis
