// A line of a PropertyOverrideConfigurer: a path from a bean to a property inside it, and the value that it gets.
#pragma once

#include <string>

#include "caddis/heritrix/bean.h"
#include "caddis/heritrix/import_report.h"

namespace caddis::heritrix {

struct Override {
  std::string path;  // "scope.rules[2].maxHops"
  BeanValue value;
  ItemId item = kNoItem;
};

// Puts the value into its place, which is made if it is not there yet, and tells what stood there that it counts no more. If
// there is no such bean, that is told of the override.
void override_property(BeanTree& tree, Override one, ImportReport& report);

}  // namespace caddis::heritrix
