#include "caddis/access/secret.h"

#include <fmt/format.h>

#include "caddis/base/random.h"

namespace caddis::access {

std::string new_secret() {
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", system_seed(), system_seed(), system_seed(), system_seed());
}

std::string new_password() {
  // Without letters and digits that look alike.
  constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz023456789";
  static_assert(kLetters.size() == 31 + 1);
  constexpr int kGroups = 5, kLength = 4;
  std::string made;
  for (int group = 0; group < kGroups; ++group) {
    if (group > 0) made += '-';
    uint64_t bits = system_seed();
    for (int i = 0; i < kLength; ++i, bits >>= 5) made += kLetters[bits % kLetters.size()];
  }
  return made;
}

bool are_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace caddis::access
