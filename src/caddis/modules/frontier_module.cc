#include "caddis/modules/frontier_module.h"

#include <fmt/format.h>

#include <exception>

#include "caddis/modules/registry.h"

namespace caddis::modules {

Result<const LoadedModule*> FrontierModule::find(std::string_view name) {
  const LoadedModule* const module = find_module(name);
  if (module == nullptr) return no_such_module(name);
  if (!module->description().make_frontier)
    return fail(ErrorCode::config, fmt::format("the module {} has no frontier", name));
  return module;
}

Result<std::unique_ptr<FrontierModule>> FrontierModule::create(std::string_view name, const ModuleSections& sections) {
  TRY(const LoadedModule* const module, find(name));
  std::unique_ptr<FrontierModule> made(new FrontierModule(*module, sections));
  try {
    made->frontier_ = module->make_frontier(made->values_);
  } catch (const std::exception& error) {
    return fail(ErrorCode::config, fmt::format("the module {} makes no frontier: {}", name, error.what()));
  }
  return made;
}

void FrontierModule::add(uint64_t id, const Link& url) {
  if (is_off()) return;
  try {
    frontier_->add(id, url);
  } catch (const std::exception& error) {
    module_.errors().record("frontier", error.what(), url.url);
  }
}

std::optional<uint64_t> FrontierModule::next() {
  if (is_off()) return {};
  try {
    return frontier_->next();
  } catch (const std::exception& error) {
    module_.errors().record("frontier", error.what(), "a hand-over");
  }
  return {};
}

}  // namespace caddis::modules
