// Little-endian numbers, spread fingerprints and the checksum of the files of the seen-set (docs/formats/seen.md).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace caddis::store {

static_assert(std::endian::native == std::endian::little, "these helpers copy numbers as they are");

template <class Number>
void put_number(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class Number>
Number get_number(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// Any 64-bit value becomes an evenly spread one, and only 0 becomes 0: what spreads is in the low bits of a
// fingerprint, what selects is the high bits of the tables and runs. It can be taken back, so they are as exact as
// fingerprints.
inline uint64_t spread(uint64_t fingerprint) { return fingerprint * 0x9e3779b97f4a7c15ULL; }

// Finds damage, not malice; four words at a time. Each step is reversible, so that no single changed word goes
// unnoticed.
inline uint64_t seen_checksum(std::string_view bytes, uint64_t seed) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  const auto step = [](uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * kOdd;
    return sum ^ sum >> 29;
  };
  uint64_t a = seed ^ 1, b = seed ^ 2, c = seed ^ 3, d = seed ^ bytes.size() << 8;
  const char* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 32; at += 32, left -= 32) {
    a = step(a, get_number<uint64_t>(at));
    b = step(b, get_number<uint64_t>(at + 8));
    c = step(c, get_number<uint64_t>(at + 16));
    d = step(d, get_number<uint64_t>(at + 24));
  }
  for (; left > 0; ++at, --left) a = step(a, static_cast<unsigned char>(*at));
  return step(step(step(step(a, b), c), d), seed);
}

}  // namespace caddis::store
