#include "caddis/modules/shared_object.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <exception>

namespace caddis::modules {
namespace {

// Null if it has no such function.
template <class Function>
Function* function_of(void* object, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(object, name));
}

Result<std::vector<Description>> descriptions_of(void* object) {
  auto* const interface = function_of<int()>(object, "caddis_module_interface");
  auto* const describe = function_of<void(std::vector<Description>&)>(object, "caddis_module_describe");
  if (interface == nullptr || describe == nullptr)
    return fail(ErrorCode::config, "it is a shared object, but no module: CADDIS_MODULES is missing in its source");
  if (const int number = interface(); number != kInterface)
    return fail(ErrorCode::config,
                fmt::format("it was built for interface {} of modules, and this Caddis has {}: build it again with the "
                            "headers of this version",
                            number, kInterface));
  std::vector<Description> descriptions;
  try {
    describe(descriptions);
  } catch (const std::exception& error) {
    return fail(ErrorCode::config, fmt::format("it failed to describe its modules: {}", error.what()));
  }
  if (descriptions.empty()) return fail(ErrorCode::config, "it has no module in it");
  return descriptions;
}

}  // namespace

Result<std::vector<std::unique_ptr<LoadedModule>>> load_shared_object(const std::string& path) {
  void* const object = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    const char* const why = ::dlerror();
    return fail(ErrorCode::config, fmt::format("it cannot be loaded: {}", why == nullptr ? "no reason given" : why));
  }
  auto descriptions = descriptions_of(object);
  if (!descriptions) {
    ::dlclose(object);
    return std::unexpected(std::move(descriptions).error());
  }
  std::vector<std::unique_ptr<LoadedModule>> modules;
  for (Description& description : *descriptions) {
    TRY(auto module, LoadedModule::create(std::move(description), path));
    modules.push_back(std::move(module));
  }
  return modules;
}

}  // namespace caddis::modules
