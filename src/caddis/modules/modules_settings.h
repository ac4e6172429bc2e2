// The settings of the section `modules`: which modules are loaded, and what a script may use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/modules/module_values.h"
#include "caddis/settings/schema.h"

namespace caddis::modules {

struct LuaLimits;

struct ModulesSettings {
  std::vector<std::string> load;
  int64_t max_errors = 10;
  int64_t script_instructions = 10'000'000;
  int64_t script_memory = 64'000'000;
  Duration script_time = std::chrono::seconds(1);
  Duration console_time = std::chrono::milliseconds(250);
  ModuleSections sections;  // those that loaded modules bring along
};

// The bounds of a script of the console.
LuaLimits console_limits(const ModulesSettings& settings);
// These bounds hold for all scripts of the process from now on.
void apply_bounds(const ModulesSettings& settings);

}  // namespace caddis::modules

namespace caddis::settings {
template <>
const Schema& schema_of<modules::ModulesSettings>();
}  // namespace caddis::settings
