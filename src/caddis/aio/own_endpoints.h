// Under which addresses a listener of this process can be reached from this machine. Any thread.
#pragma once

#include <vector>

#include "caddis/aio/network.h"

namespace caddis::aio {

// `listener` is where it listens, with its port. One on all addresses (0.0.0.0, ::) is reached under each that the
// machine has now; one on an address of the loopback also under the unspecified one, which stands for it when somebody
// connects; and one of IPv4 also under the addresses that are written as IPv6.
std::vector<Endpoint> own_endpoints(const Endpoint& listener);

}  // namespace caddis::aio
