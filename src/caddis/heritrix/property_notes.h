// Notes on properties that no setting of Caddis stands for: because Caddis does so by itself, because it does not
// matter here, or because there is nothing like it.
#pragma once

#include <span>
#include <string_view>

#include "caddis/heritrix/import_report.h"

namespace caddis::heritrix {

struct PropertyNote {
  std::string_view name;   // "fetchHttp.sendRange", of the role of its bean; "*.logToFile" of any
  std::string_view value;  // the only one of which it is said; empty: any
  Fate fate = Fate::taken;
  std::string_view said;
};

std::span<const PropertyNote> property_notes();
// The first that fits; null if there is none.
const PropertyNote* find_property_note(std::string_view role, std::string_view property, std::string_view value);

}  // namespace caddis::heritrix
