// A rule of a module with its arguments, asked from any thread: each thread that asks at the same time gets an object of
// its own.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/modules/loaded_module.h"

namespace caddis::modules {

class SharedRule {
 public:
  // ErrorCode::config if the module has no rule, or not with such arguments.
  static Result<std::unique_ptr<SharedRule>> create(const LoadedModule& module, std::string arguments);

  // An error of the module is on its record; then, and if it is switched off, the rule does not hold.
  bool holds(const Link& link) const;
  const LoadedModule& module() const { return module_; }

 private:
  SharedRule(const LoadedModule& module, std::string arguments) : module_(module), arguments_(std::move(arguments)) {}
  std::unique_ptr<Rule> take() const;

  const LoadedModule& module_;
  const std::string arguments_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Rule>> idle_;
};

}  // namespace caddis::modules
