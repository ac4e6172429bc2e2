// A property of Heritrix as the text of a setting: the unit stands in the property's name ("minDelayMs", "groupMaxAllKb").
// Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/heritrix/bean.h"
#include "caddis/settings/schema.h"

namespace caddis::heritrix {

// The setting that has this Heritrix name ("disposition.minDelayMs") in the settings tables; without a field if none has.
struct NamedSetting {
  const settings::Schema* schema = nullptr;
  const settings::Field* field = nullptr;
};
NamedSetting setting_of(std::string_view heritrix_name);

// The texts for `field`, by its kind and the unit in the name. -1, Heritrix's word for no limit, is 0 where no less may be.
// ErrorCode::parse if the value is none of that kind.
Result<std::vector<std::string>> texts_for(const settings::Field& field, std::string_view property,
                                           const BeanValue& value);

}  // namespace caddis::heritrix
