// One value of a setting as YAML, for those who write files of their own with comments.
#pragma once

#include <cstddef>
#include <string>

#include "caddis/settings/schema.h"

namespace caddis::settings {

// As it stands behind the colon of its name, with the blank or the line breaks in front of it; items of a list are indented
// by so much.
std::string yaml_value(const Field& field, const Value& value, size_t indent);

}  // namespace caddis::settings
