#include "caddis/base/counted.h"

namespace caddis {

std::string counted(uint64_t amount, std::string_view one, std::string_view many) {
  std::string text = std::to_string(amount) + ' ';
  if (amount == 1) return text += one;
  if (!many.empty()) return text += many;
  text += one;
  return text += 's';
}

}  // namespace caddis
