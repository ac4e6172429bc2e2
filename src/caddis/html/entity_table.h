// The table behind character_reference.cc: names in byte order without '&' and ';', laid end to end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace caddis::html {

inline constexpr size_t kEntityCount = 2125;
inline constexpr size_t kEntitySecondCount = 93;
inline constexpr size_t kMaxEntityName = 31;
inline constexpr size_t kMaxLegacyName = 6;

inline constexpr uint32_t kEntityLegacy = 0x80000000;  // also valid without ';'
inline constexpr uint32_t kEntityPair = 0x40000000;    // stands for two code points, the other one in kEntitySeconds
inline constexpr uint32_t kEntityCodePoint = 0x001fffff;

struct EntitySecond {
  uint16_t index;
  uint16_t code_point;
};

extern const char kEntityNames[];
extern const uint16_t kEntityEnds[kEntityCount];
extern const uint32_t kEntityValues[kEntityCount];
extern const EntitySecond kEntitySeconds[kEntitySecondCount];

}  // namespace caddis::html
