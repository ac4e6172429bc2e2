// Modules in C++, from a shared object. Internal to modules.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/modules/loaded_module.h"

namespace caddis::modules {

// ErrorCode::config if the file is no module, or was built for another interface; nothing of it was called then.
Result<std::vector<std::unique_ptr<LoadedModule>>> load_shared_object(const std::string& path);

}  // namespace caddis::modules
