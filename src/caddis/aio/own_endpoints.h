// Under which addresses a listener of this process can be reached from this machine. Any thread.
#pragma once

#include <vector>

#include "caddis/aio/network.h"

namespace caddis::aio {

// `listener` is where it listens, with its port, and comes first. One on all addresses (0.0.0.0, ::) is also reached
// under each that the machine has now. Other ways to write an address are for who compares them
// (fetch/address_policy.h).
std::vector<Endpoint> own_endpoints(const Endpoint& listener);

}  // namespace caddis::aio
