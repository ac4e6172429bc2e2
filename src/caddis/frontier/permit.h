// Held by a visit while it runs: its places among the visits of an address and of a politeness group, besides that
// of its host.
#pragma once

#include <string>

namespace caddis::frontier {

struct Permit {
  std::string address;                   // where to connect; empty: nowhere, or the name alone is known
  std::string address_slot, group_slot;  // names of slots; empty: none of that
};

}  // namespace caddis::frontier
