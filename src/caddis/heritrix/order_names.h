// Names of Heritrix 1 and what Heritrix 3 calls the same.
#pragma once

#include <string>
#include <string_view>

namespace caddis::heritrix {

// A bean of Heritrix 3: its id and its class.
struct OrderTarget {
  std::string_view id, class_name;
};

// "max-retries" is "maxRetries"; those that have got another name besides are in a table.
std::string property_name(std::string_view order_name);

// The bean that a setting has moved to: the politeness of the frontier, limits of the controller. Without an id if it has
// stayed where it was.
OrderTarget moved_to(std::string_view kind, std::string_view property);

// The rule that a scope of the first kind (HostScope, DomainScope …) asks of seeds; empty if it is none.
std::string_view seed_rule_of_scope(std::string_view kind);

}  // namespace caddis::heritrix
