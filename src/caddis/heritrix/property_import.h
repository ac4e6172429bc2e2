// One property by the tables: a handler of its own, the setting that names it, or what is said of it.
#pragma once

#include <string_view>

#include "caddis/heritrix/bean.h"
#include "caddis/heritrix/import.h"

namespace caddis::heritrix {

// Whether the tables know a property of that role: a handler, a setting or a note.
bool knows_property(std::string_view role, std::string_view property);

// Tells of it in any case, but for a class that nobody knows.
void import_property(Import& import, const Bean& bean, const BeanProperty& property);
// The same by the name alone, as sheets have it; the value is that of `property`.
void import_named(Import& import, std::string_view role, const Bean& bean, const BeanProperty& property);

}  // namespace caddis::heritrix
