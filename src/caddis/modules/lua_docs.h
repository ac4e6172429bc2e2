// docs/lua.md, from the tables of what scripts find.
#pragma once

#include <string>

namespace caddis::modules {

std::string lua_markdown();

}  // namespace caddis::modules
