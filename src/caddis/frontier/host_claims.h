// Hosts that several crawls of one machine visit in turns: a host is one crawl's from the beginning of a visit until the
// pause behind it has ended. A crawl that is alone needs none.
//
// Belongs to the frontier's thread.
#pragma once

#include <string_view>

#include "caddis/base/clock.h"

namespace caddis::frontier {

class HostClaims {
 public:
  virtual ~HostClaims() = default;
  // Whether this crawl may visit the host now. If not, it is known to wait for it, and asks again.
  virtual bool take(std::string_view host) = 0;
  // None of its visits runs. The host is left to others at that time, unless it is taken before.
  virtual void leave(std::string_view host, SteadyTime until) = 0;
};

}  // namespace caddis::frontier
