#include "caddis/modules/loaded_module.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/visible.h"
#include "caddis/modules/module_values.h"

namespace caddis::modules {
namespace {

Result<void> check(const Description& description) {
  if (!is_name(description.name))
    return fail(ErrorCode::config,
                fmt::format("'{}' is no name of a module: it has lower case letters, digits and hyphens, and begins "
                            "with a letter",
                            visible(description.name, kQuoted)));
  if (!description.make_rule && !description.make_step && !description.make_listener && !description.make_policy &&
      !description.make_frontier)
    return fail(ErrorCode::config,
                fmt::format("module {} has none of these: rule, step, listener, policy, frontier", description.name));
  return {};
}

}  // namespace

bool is_name(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return !text.empty() && text.size() <= 40 && text.find_first_not_of(kLetters) == text.npos && text.front() >= 'a';
}

Result<std::unique_ptr<LoadedModule>> LoadedModule::create(Description description, std::string path, Reload reload) {
  TRY_VOID(check(description));
  // Steps alone see the settings of the site at hand.
  if (!description.make_step)
    for (Setting& setting : description.settings) setting.per_site = false;
  std::unique_ptr<LoadedModule> module(new LoadedModule(std::move(description), std::move(path), std::move(reload)));
  if (!module->description_.settings.empty()) {
    TRY(module->schema_, schema_of_module(module->description_));
    for (const settings::Field& field : module->schema_->fields()) module->defaults_.push_back(field.default_value);
  }
  return module;
}

Result<bool> LoadedModule::reload() const {
  if (!reload_) return false;
  TRY(const bool has_changed, reload_());
  if (has_changed) errors_.reset();
  return has_changed;
}

}  // namespace caddis::modules
