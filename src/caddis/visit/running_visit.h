// A visit that runs, as an operator sees it.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/frontier/lease.h"

namespace caddis::visit {

struct RunningVisit {
  unsigned lane = 0;
  std::string url;  // of the lease, without a password
  frontier::LeaseKind kind = frontier::LeaseKind::url;
  std::string step;        // "fetch"; empty if it has just begun
  Duration at_step{};      // for how long it has been there
  Duration since_begin{};  // for how long it has run
};

}  // namespace caddis::visit
