// The frontier of a module (Frontier of module.h) as Caddis's own uses it. An error is on the module's record; once the
// module is switched off it is asked no more.
//
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/modules/loaded_module.h"
#include "caddis/modules/module_values.h"

namespace caddis::modules {

class FrontierModule {
 public:
  // The module of that name. ErrorCode::config if it is not loaded, or has no frontier.
  static Result<const LoadedModule*> find(std::string_view name);
  // Errors are those of `find`, and what the module has against it. `sections`: the values of its settings, which stay as
  // they are.
  static Result<std::unique_ptr<FrontierModule>> create(std::string_view name, const ModuleSections& sections);

  void add(uint64_t id, const Link& url);
  std::optional<uint64_t> next();
  bool is_off() const { return module_.errors().is_off(); }
  // A sentence for those who watch the crawl.
  void say(std::string_view text) { module_.errors().say(text); }

 private:
  FrontierModule(const LoadedModule& module, const ModuleSections& sections)
      : module_(module), sections_(sections), values_(module, sections_) {}

  const LoadedModule& module_;
  const ModuleSections sections_;
  const ModuleValues values_;
  std::unique_ptr<Frontier> frontier_;
};

}  // namespace caddis::modules
