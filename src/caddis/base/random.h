// The only source of chance: record ids, jitter, keys of hash functions. A simulated world hands out a seeded one.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace caddis {

// Not thread-safe: each owner has its own.
class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t next() = 0;
  // Uniform in [0, bound); bound > 0.
  uint64_t below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }
  // A random (version 4) UUID as text, RFC 9562: 36 characters.
  std::string uuid();
};

// xoshiro256**, seeded through splitmix64. The same seed gives the same numbers for ever.
class SeededRandom : public Random {
 public:
  explicit SeededRandom(uint64_t seed);
  uint64_t next() override;

 private:
  std::array<uint64_t, 4> state_;
};

// A seed from the operating system.
uint64_t system_seed();

}  // namespace caddis
