#include "caddis/config/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/modules/registry.h"

namespace caddis::config {
namespace {

constexpr std::string_view kIntroduction = R"(# Steps of a visit

Written by `caddis schema --steps` from the table in the sources; change it there.

The visit of a URL takes these steps, in the order of `pipeline.url`, by default that of the table. `pipeline.disable` has a step passed
by, `pipeline.guard` says for which visits it is taken. What cannot work is refused when the settings are read. Modules bring steps of
their own ([extending.md](extending.md)); they stand behind `fetch`.

| step | what it does | comes behind | comes before | left out, disabled | guard |
|---|---|---|---|---|---|
)";

KnownStep step_of(const modules::LoadedModule& module) {
  return {.traits = {.name = module.name(), .does = "a module's", .behind = {"fetch"}}, .own = {}, .module = &module};
}

std::string listed(const StepTraits& step) {
  std::string names;
  for (const std::string_view other : step.behind)
    if (!other.empty()) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", other);
  return names;
}

}  // namespace

std::vector<KnownStep> known_steps() {
  std::vector<KnownStep> steps;
  for (size_t i = 0; i < kOwnSteps.size(); ++i) steps.push_back({.traits = kOwnSteps[i], .own = i});
  for (const modules::LoadedModule* module : modules::loaded_modules())
    if (module->description().make_step) steps.push_back(step_of(*module));
  return steps;
}

std::optional<KnownStep> find_step(std::string_view name) {
  for (KnownStep& step : known_steps())
    if (step.traits.name == name) return std::move(step);
  return std::nullopt;
}

std::vector<std::string> step_names() {
  std::vector<std::string> names;
  for (const KnownStep& step : known_steps()) names.emplace_back(step.traits.name);
  return names;
}

std::string own_steps_listed(bool (*match)(const StepTraits& step)) {
  std::string names;
  for (const StepTraits& step : kOwnSteps)
    if (match(step)) names.append(names.empty() ? "" : ", ").append(step.name);
  return names;
}

std::string steps_markdown() {
  std::string page(kIntroduction);
  for (const StepTraits& step : kOwnSteps) {
    const std::string_view before = !step.before_fetch.empty()     ? "`fetch`"
                                    : !step.before_records.empty() ? "`records`"
                                                                   : "";
    page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", step.name, step.does, listed(step), before,
                        step.needed.empty() ? "yes" : "no", step.has_guard ? "yes" : "no");
  }
  return page;
}

}  // namespace caddis::config
