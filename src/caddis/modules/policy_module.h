// The policy of a module (Policy of module.h) as the frontier asks it. An error is on the module's record, and answered
// as if there were no policy; so is everything once the module is switched off.
//
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/error.h"
#include "caddis/modules/loaded_module.h"
#include "caddis/modules/module_values.h"

namespace caddis::modules {

class PolicyModule {
 public:
  // The module of that name. ErrorCode::config if it is not loaded, or has no policy.
  static Result<const LoadedModule*> find(std::string_view name);
  // Errors are those of `find`, and what the module has against it. `sections`: the values of its settings, which stay as they
  // are.
  static Result<std::unique_ptr<PolicyModule>> create(std::string_view name, const ModuleSections& sections);

  unsigned precedence(const Link& url);  // 0 to 62
  uint32_t cost(const Link& url);        // 0 to 1000
  uint32_t queue_precedence(const Queue& queue);
  // The same for a host as long as it is remembered, also if the module fails or is switched off meanwhile.
  std::string group(const std::string& host);

 private:
  PolicyModule(const LoadedModule& module, const ModuleSections& sections)
      : module_(module), sections_(sections), values_(module, sections_) {}
  template <class Answer, class Ask>
  Answer ask(std::string_view subject, Answer otherwise, Ask ask);

  const LoadedModule& module_;
  const ModuleSections sections_;
  const ModuleValues values_;
  std::unique_ptr<Policy> policy_;
  std::unordered_map<std::string, std::string> groups_;  // of the hosts that were asked about last
};

}  // namespace caddis::modules
