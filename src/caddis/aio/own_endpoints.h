// The machine's own addresses: under which a listener of this process can be reached, and which the internet sees. Any
// thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/aio/network.h"

namespace caddis::aio {

// `listener` is where it listens, with its port, and comes first. One on all addresses (0.0.0.0, ::) is also reached
// under each that the machine has now. Other ways to write an address are for who compares them
// (fetch/address_policy.h).
std::vector<Endpoint> own_endpoints(const Endpoint& listener);

// The address, IPv4 if there is one, from which the machine reaches the internet; empty if it does not. Nothing is
// sent. Behind address translation it is the private one.
std::string outgoing_address();

}  // namespace caddis::aio
