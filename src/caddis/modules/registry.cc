#include "caddis/modules/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/modules/lua_module.h"
#include "caddis/modules/shared_object.h"

namespace caddis::modules {
namespace {

using Modules = std::vector<std::unique_ptr<LoadedModule>>;

struct Registry {
  std::mutex mutex;
  Modules modules;
};

Registry& registry() {
  // Never destroyed: threads may still use a module while the process ends.
  static auto* const made = new Registry;
  return *made;
}

Result<Modules> load(const std::string& path) {
  if (!path.starts_with('/')) return fail(ErrorCode::config, "give the whole path of the file");
  if (path.ends_with(".lua")) return load_lua_module(path);
  if (path.ends_with(".so")) return load_shared_object(path);
  return fail(ErrorCode::config, "a module is a .lua file or a shared object (.so)");
}

Result<void> check_name(const Modules& modules, const LoadedModule& added, std::span<const std::string> taken) {
  const auto named = std::ranges::find_if(modules, [&](const auto& other) { return other->name() == added.name(); });
  if (named != modules.end())
    return fail(ErrorCode::config,
                fmt::format("a module named '{}' was already loaded from {}: give one of them another "
                            "name",
                            added.name(), (*named)->path()));
  if (std::ranges::find(taken, added.name()) != taken.end())
    return fail(ErrorCode::config,
                fmt::format("'{}' is the name of a section or a step of Caddis's own: give the module "
                            "another one",
                            added.name()));
  return {};
}

}  // namespace

Result<void> load_modules(std::span<const std::string> paths, std::span<const std::string> taken) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const std::string& path : paths) {
    if (std::ranges::any_of(all.modules, [&](const auto& module) { return module->path() == path; })) continue;
    const std::string shown = visible(path, kQuoted);
    auto loaded = load(path);
    if (!loaded && loaded.error().code == ErrorCode::not_found)
      return fail(ErrorCode::config, fmt::format("{} is not there: rules, steps and settings need the module; put its "
                                                 "file back at this path",
                                                 shown));
    if (!loaded) return pass(std::move(loaded).error(), shown);
    for (const auto& added : *loaded)
      if (auto sound = check_name(all.modules, *added, taken); !sound) return pass(std::move(sound).error(), shown);
    std::ranges::move(*loaded, std::back_inserter(all.modules));
  }
  return {};
}

const LoadedModule* find_module(std::string_view name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = std::ranges::find_if(all.modules, [&](const auto& module) { return module->name() == name; });
  return found == all.modules.end() ? nullptr : found->get();
}

std::vector<const LoadedModule*> loaded_modules() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::vector<const LoadedModule*> modules;
  for (const auto& module : all.modules) modules.push_back(module.get());
  return modules;
}

std::vector<const LoadedModule*> modules_of(std::span<const std::string> paths) {
  std::vector<const LoadedModule*> modules = loaded_modules();
  std::erase_if(modules,
                [&](const LoadedModule* module) { return std::ranges::find(paths, module->path()) == paths.end(); });
  return modules;
}

std::unexpected<Error> no_such_module(std::string_view name) {
  std::vector<std::string> names;
  for (const LoadedModule* module : loaded_modules()) names.push_back(module->name());
  const std::string near = nearest_name(name, names);
  const std::string known = names.empty() ? "none is loaded" : fmt::format("there are {}", fmt::join(names, ", "));
  return fail(ErrorCode::config,
              fmt::format("there is no module '{}'{}; {} (modules.load, or --module FILE)", visible(name, kQuoted),
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near), known));
}

}  // namespace caddis::modules
