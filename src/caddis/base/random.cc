#include "caddis/base/random.h"

#include <bit>
#include <random>

namespace caddis {

std::string Random::uuid() {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::array<uint64_t, 2> bits = {next(), next()};
  bits[0] = (bits[0] & ~0xf000ULL) | 0x4000ULL;
  bits[1] = (bits[1] & ~(3ULL << 62)) | (2ULL << 62);
  std::string out;
  out.reserve(36);
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) out += '-';
    out += kDigits[(bits[static_cast<size_t>(i) / 16] >> (60 - 4 * (i % 16))) & 15];
  }
  return out;
}

SeededRandom::SeededRandom(uint64_t seed) {
  for (uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15ULL;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    word = z ^ (z >> 31);
  }
}

uint64_t SeededRandom::next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

uint64_t system_seed() {
  std::random_device device;
  return (static_cast<uint64_t>(device()) << 32) | device();
}

}  // namespace caddis
