// Chance that is no chance: every decision of the world is drawn from a hash of what it is about. Fast, well mixed, not
// safe against anybody. The functions are fixed: golden values stand in world_test.cc, since a run must be repeatable
// with a later build.
#pragma once

#include <cstdint>

namespace simweb {

// What a draw decides; two decisions about the same thing never share one.
enum class Salt : uint64_t {
  host_dns = 1,
  host_reach,
  host_tls,
  host_robots,
  host_more,
  kind,
  content,
  size,
  links,
  link,
  transfer,
  redirect,
  delay,
  etag,
  feed,
  trap,
  style,
  edit,
  host_door,
  host_http2,
};

inline uint64_t fold(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t draw(uint64_t seed, Salt salt, uint64_t a, uint64_t b = 0) {
  const uint64_t first =
      fold(a ^ 0x9E3779B97F4A7C15, (static_cast<uint64_t>(salt) * 0xD6E8FEB86659FD93 + 0x2545F4914F6CDD1D) ^ seed);
  return fold(first ^ 0xA0761D6478BD642F, b ^ first ^ 0xE7037ED1A0B428DB);
}

// The next draw after `x`, for a row of them about one thing.
inline uint64_t next_draw(uint64_t x) { return fold(x ^ 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3); }

// A draw as a number in [0, 1).
inline double unit(uint64_t x) { return static_cast<double>(x >> 11) * 0x1p-53; }

// A draw as a number below `bound` (> 0).
inline uint64_t below(uint64_t x, uint64_t bound) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(x) * bound) >> 64);
}

// A draw as a number of a normal distribution, mean 0 and deviation 1, nearly: sum of four evenly distributed ones.
inline double normal(uint64_t x) {
  const double sum = static_cast<double>((x & 0xFFFF) + (x >> 16 & 0xFFFF) + (x >> 32 & 0xFFFF) + (x >> 48));
  return (sum * 0x1p-16 - 2) * 1.7320508075688772;
}

}  // namespace simweb
