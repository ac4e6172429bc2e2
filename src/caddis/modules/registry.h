// The modules that this process has loaded, by name. A module stays: objects of it may live anywhere.
//
// Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/modules/loaded_module.h"

namespace caddis::modules {

// Loads the files that are not loaded yet: Lua if the name ends in ".lua", shared objects if it ends in ".so".
// ErrorCode::config if one cannot be loaded, gives a name that another file has given, or one of `taken` (sections and
// steps of Caddis's own).
Result<void> load_modules(std::span<const std::string> paths, std::span<const std::string> taken);

// Null if there is none of that name.
const LoadedModule* find_module(std::string_view name);
// All, in the order in which they were loaded.
std::vector<const LoadedModule*> loaded_modules();
// The modules that these files gave.
std::vector<const LoadedModule*> modules_of(std::span<const std::string> paths);
// ErrorCode::config: "there is no module 'x'", with the names there are.
std::unexpected<Error> no_such_module(std::string_view name);

}  // namespace caddis::modules
