// A module in Lua, from a file. Internal to modules.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/modules/loaded_module.h"
#include "caddis/modules/lua_state.h"

namespace caddis::modules {

// The module has the name of the file, without ".lua". ErrorCode::config if the file cannot be read, is no Lua, or defines
// none of the functions that Caddis calls.
Result<std::vector<std::unique_ptr<LoadedModule>>> load_lua_module(const std::string& path);

// The limits of interpreters that are made from now on.
void set_lua_limits(const LuaLimits& limits);

}  // namespace caddis::modules
