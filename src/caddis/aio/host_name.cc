#include "caddis/aio/host_name.h"

#include <unistd.h>

#include <array>

namespace caddis::aio {

std::string host_name() {
  std::array<char, 256> name{};
  const bool is_known = ::gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0';
  return is_known ? name.data() : "localhost";
}

}  // namespace caddis::aio
