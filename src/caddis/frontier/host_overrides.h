// Settings of one host that an operator has laid over all others; they hold until something else is said.
#pragma once

#include <cstdint>
#include <optional>

#include "caddis/base/clock.h"

namespace caddis::frontier {

struct HostOverrides {
  bool blocked = false;                           // its URLs are abandoned, those found later too
  bool retired = false;                           // its URLs wait until it is taken up again
  std::optional<Duration> delay;                  // between two visits, in place of the settings'
  std::optional<uint64_t> budget = std::nullopt;  // URLs accepted, in place of `host-budget`; 0: no limit

  bool operator==(const HostOverrides&) const = default;
};

}  // namespace caddis::frontier
