// What people and tools read about the settings, made from the tables: JSON Schema (2020-12) for editors and forms,
// Markdown for docs/settings.md. The same tables give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "caddis/settings/schema.h"

namespace caddis::settings {

std::string json_schema(const std::vector<const Schema*>& schemas);
std::string markdown(const std::vector<const Schema*>& schemas);

}  // namespace caddis::settings
