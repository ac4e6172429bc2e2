#include "caddis/modules/modules_settings.h"

#include "caddis/modules/lua_module.h"
#include "caddis/modules/lua_state.h"
#include "caddis/modules/registry.h"

namespace caddis::modules {

LuaLimits console_limits(const ModulesSettings& settings) {
  return {.instructions = settings.script_instructions,
          .memory = settings.script_memory,
          .time = settings.console_time,
          .why_too_long = "it ran for too long without asking the crawl (modules.console-time)"};
}

void apply_bounds(const ModulesSettings& settings) {
  set_lua_limits(
      {.instructions = settings.script_instructions, .memory = settings.script_memory, .time = settings.script_time});
  for (const LoadedModule* module : modules_of(settings.load)) module->errors().set_most(settings.max_errors);
}

}  // namespace caddis::modules

namespace caddis::settings {

template <>
const Schema& schema_of<modules::ModulesSettings>() {
  using S = modules::ModulesSettings;
  static const Schema schema(
      "modules", "Rules, steps and listeners that others have written, in C++ or in Lua (docs/extending.md).",
      {
          field<&S::load>("load",
                          "Whole paths of their files: shared objects (.so) and scripts (.lua, docs/lua.md). A module "
                          "may have settings of its own, in the section with its name. Those of several files add up.",
                          {.option = "--module"}),
          field<&S::max_errors>("max-errors", "A module is switched off after so many errors; 0 means never.",
                                {.flags = kLive | kExpert, .min = "0"}),
          field<&S::script_instructions>("script-instructions",
                                         "A call of a script may take so many instructions of Lua.",
                                         {.flags = kLive | kExpert, .min = "1000"}),
          field<&S::script_memory>("script-memory", "The interpreter of a script may use so much memory.",
                                   {.flags = kLive | kExpert, .unit = kBytes, .min = "1MB", .max = "4GB"}),
          field<&S::script_time>("script-time", "A call of a script may last so long.",
                                 {.flags = kLive | kExpert, .min = "1ms", .max = "5s"}),
          field<&S::console_time>("console-time",
                                  "A script of `caddis console` may calculate so long between two questions to the "
                                  "crawl, which stands still meanwhile.",
                                  {.flags = kLive | kExpert, .min = "1ms", .max = "5s"}),
      });
  return schema;
}

}  // namespace caddis::settings
