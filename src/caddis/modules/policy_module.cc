#include "caddis/modules/policy_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "caddis/modules/registry.h"

namespace caddis::modules {
namespace {

constexpr int kLastPrecedence = 62;
constexpr int kHighestCost = 1000;
constexpr size_t kMostGroups = 200'000;

int within(int value, int most, const char* what) {
  if (value < 0 || value > most) throw std::out_of_range(fmt::format("its {} is {}, not 0 to {}", what, value, most));
  return value;
}

}  // namespace

Result<const LoadedModule*> PolicyModule::find(std::string_view name) {
  const LoadedModule* const module = find_module(name);
  if (module == nullptr) return no_such_module(name);
  if (!module->description().make_policy)
    return fail(ErrorCode::config, fmt::format("the module {} has no policy", name));
  return module;
}

Result<std::unique_ptr<PolicyModule>> PolicyModule::create(std::string_view name, const ModuleSections& sections) {
  TRY(const LoadedModule* const module, find(name));
  std::unique_ptr<PolicyModule> made(new PolicyModule(*module, sections));
  try {
    made->policy_ = module->make_policy(made->values_);
  } catch (const std::exception& error) {
    return fail(ErrorCode::config, fmt::format("the module {} makes no policy: {}", name, error.what()));
  }
  return made;
}

template <class Answer, class Ask>
Answer PolicyModule::ask(std::string_view subject, Answer otherwise, Ask ask) {
  if (module_.errors().is_off()) return otherwise;
  try {
    return ask();
  } catch (const std::exception& error) {
    module_.errors().record("policy", error.what(), subject);
  }
  return otherwise;
}

unsigned PolicyModule::precedence(const Link& url) {
  return ask(url.url, 0U,
             [&] { return static_cast<unsigned>(within(policy_->precedence(url), kLastPrecedence, "precedence")); });
}

uint32_t PolicyModule::cost(const Link& url) {
  return ask(url.url, uint32_t{1},
             [&] { return static_cast<uint32_t>(within(policy_->cost(url), kHighestCost, "cost")); });
}

uint32_t PolicyModule::queue_precedence(const Queue& queue) {
  return ask(queue.origin, uint32_t{0}, [&] { return policy_->queue_precedence(queue); });
}

std::string PolicyModule::group(const std::string& host) {
  if (const auto known = groups_.find(host); known != groups_.end()) return known->second;
  if (groups_.size() >= kMostGroups) groups_.clear();
  return groups_[host] = ask(host, std::string(), [&] { return policy_->group(host); });
}

}  // namespace caddis::modules
