#include "caddis/modules/shared_rule.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace caddis::modules {

Result<std::unique_ptr<SharedRule>> SharedRule::create(const LoadedModule& module, std::string arguments) {
  if (!module.description().make_rule)
    return fail(ErrorCode::config, fmt::format("the module {} has no rule", module.name()));
  std::unique_ptr<SharedRule> made(new SharedRule(module, std::move(arguments)));
  try {
    made->idle_.push_back(made->take());
  } catch (const std::exception& error) {
    return fail(ErrorCode::config, fmt::format("the module {} refuses it: {}", module.name(), error.what()));
  }
  return made;
}

std::unique_ptr<Rule> SharedRule::take() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto rule = std::move(idle_.back());
      idle_.pop_back();
      return rule;
    }
  }
  return module_.make_rule(arguments_);
}

bool SharedRule::holds(const Link& link) const {
  if (module_.errors().is_off()) return false;
  try {
    auto rule = take();
    const bool answer = rule->holds(link);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(rule));
    return answer;
  } catch (const std::exception& error) {
    // The object may be in any state: it goes.
    module_.errors().record("rule", error.what(), link.url);
    return false;
  }
}

}  // namespace caddis::modules
