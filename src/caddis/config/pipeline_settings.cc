#include "caddis/config/pipeline_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "caddis/archive/writer_spec.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/config/step_rules.h"
#include "caddis/config/steps.h"
#include "caddis/scope/rules.h"

namespace caddis::config {
namespace {

// Writers are guarded like steps: archive::writer_step.
constexpr std::string_view kWriterStep = "writer ";

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::unexpected<Error> refuse(std::string_view setting, std::string why) {
  return fail(ErrorCode::config, fmt::format("pipeline.{}: {}", setting, std::move(why)));
}

// `step` is one of `order`.
Result<void> validate_place(const std::vector<std::string>& order, const StepTraits& step) {
  const auto place = [&](std::string_view name) { return std::ranges::find(order, name) - order.begin(); };
  for (const std::string_view other : step.behind) {
    if (other.empty()) continue;
    if (!has(order, other))
      return refuse("url", fmt::format("{0} needs {1} before it: add {1}, or leave {0} out, too", step.name, other));
    if (place(other) > place(step.name))
      return refuse("url", fmt::format("{0} stands before {1}, and needs what {1} has made: put it behind {1}",
                                       step.name, other));
  }
  if (!step.before_fetch.empty() && place(step.name) > place("fetch"))
    return refuse("url",
                  fmt::format("{} stands behind fetch, but {}: put it before fetch", step.name, step.before_fetch));
  if (!step.before_records.empty() && place(step.name) > place("records"))
    return refuse(
        "url", fmt::format("{} stands behind records, but {}: put it before records", step.name, step.before_records));
  return {};
}

Result<void> validate_order(const std::vector<std::string>& order) {
  for (const std::string& name : order)
    if (std::ranges::count(order, name) > 1) return refuse("url", name + " stands there twice: a step is taken once");
  for (const StepTraits& step : kOwnSteps) {
    if (has(order, step.name))
      TRY_VOID(validate_place(order, step));
    else if (!step.needed.empty())
      return refuse("url", fmt::format("{} is missing: {}", step.name, step.needed));
  }
  const auto fetch = std::ranges::find(order, "fetch");
  for (auto name = order.begin(); name != fetch; ++name)
    if (const auto step = find_step(*name); !step || step->module != nullptr)
      return refuse("url", *name + " stands before fetch, where there is no page yet: put it behind fetch");
  return {};
}

Result<void> validate_disabled(const PipelineSettings& settings) {
  for (const std::string& name : settings.disable)
    if (const auto step = find_step(name); step && !step->traits.needed.empty())
      return refuse("disable", fmt::format("{} cannot be disabled: {}", name, step->traits.needed));
  for (const StepTraits& step : kOwnSteps)
    if (has(settings.disable, step.reads) && has(settings.url, step.name) && !has(settings.disable, step.name))
      return refuse("disable", fmt::format("{0} reads what {1} has made: disable {0}, too", step.name, step.reads));
  return {};
}

Result<void> validate_guards(const PipelineSettings& settings) {
  for (const std::string& text : settings.guard) {
    TRY(const StepGuard guard, StepGuard::parse(text, scope::read_no_file));
    const StepTraits step = find_step(guard.step).value_or(KnownStep{}).traits;
    if (!step.has_guard) return refuse("guard", fmt::format("{} has no guard: {}", guard.step, step.needed));
    if (!step.before_fetch.empty() && guard.predicate.needs_answer())
      return refuse("guard", guard.step + " comes before the fetch: nothing of the answer is known there");
    const bool asks_country = std::ranges::any_of(guard.predicate.kinds(),
                                                  [](const scope::RuleKind* kind) { return kind->name == "country"; });
    if (asks_country && settings.countries.empty())
      return refuse("guard",
                    "country needs a file: name it by pipeline.countries, as in /var/lib/GeoIP/"
                    "GeoLite2-Country.mmdb");
  }
  return {};
}

Result<void> known_step(std::string_view name) {
  if (find_step(name)) return {};
  const std::vector<std::string> names = step_names();
  const std::string near = nearest_name(name, names);
  return fail(ErrorCode::config,
              fmt::format("there is no step '{}'{}; steps are {}", visible(name, kQuoted),
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near), fmt::join(names, ", ")));
}

Result<void> whole_path(std::string_view text) {
  TRY_VOID(settings::single_line(text));
  if (text.empty() || text.starts_with('/')) return {};
  return fail(ErrorCode::config, fmt::format("'{}': give the whole path of the file", visible(text, kQuoted)));
}

// The names of writers are known when all settings are read: validate_writers.
Result<void> known_step_or_writer(std::string_view name) {
  return name.starts_with(kWriterStep) ? Result<void>() : known_step(name);
}

Result<void> sound_guard(std::string_view text) {
  TRY(const StepGuard guard, StepGuard::parse(text, scope::read_no_file));
  return guard.step == kBody ? Result<void>() : known_step_or_writer(guard.step);
}

}  // namespace

std::vector<std::string> default_steps() {
  std::vector<std::string> names;
  for (const StepTraits& step : kOwnSteps) names.emplace_back(step.name);
  return names;
}

Result<void> validate_writers(const PipelineSettings& settings, const archive::ArchiveSettings& archive) {
  TRY(const auto chain, archive::writer_chain(archive.writers));
  std::vector<std::string> asked = settings.disable;
  for (const std::string& text : settings.guard) {
    TRY(const StepGuard guard, StepGuard::parse(text, scope::read_no_file));
    asked.push_back(guard.step);
  }
  for (const std::string& step : asked) {
    const bool is_writer = step.starts_with(kWriterStep);
    const bool is_known = std::ranges::any_of(
        chain, [&](const archive::WriterSpec& spec) { return step == archive::writer_step(spec.name); });
    if (is_writer && !is_known)
      return fail(ErrorCode::config,
                  fmt::format("pipeline: there is no '{}' in archive.writers", visible(step, kQuoted)));
  }
  return {};
}

Result<void> validate(const PipelineSettings& settings) {
  TRY_VOID(validate_order(settings.url));
  TRY_VOID(validate_disabled(settings));
  return validate_guards(settings);
}

}  // namespace caddis::config

namespace caddis::settings {

template <>
const Schema& schema_of<config::PipelineSettings>() {
  using S = config::PipelineSettings;
  // The table of steps knows which may be left out.
  static const std::string kFree = config::own_steps_listed([](const auto& step) { return step.needed.empty(); });
  static const std::string kOrderDoc = fmt::format(
      "The steps in their order (docs/steps.md). Some may be left out ({}); extract may stand behind records, which "
      "then do not name the outlinks. Modules with a step (modules.load) are named like other steps, and stand behind "
      "fetch.",
      kFree);
  static const std::string kDisableDoc = fmt::format(
      "Steps that are passed by: {}, and those of modules; decode with extract. Writers (archive.writers), too, as in "
      "\"writer mirror\".",
      kFree);
  static const Schema schema(
      "pipeline", "The steps that the visit of a URL takes.",
      {
          field<&S::url>(
              "url", kOrderDoc,
              {.flags = kLive | kExpert, .check = config::known_step, .heritrix = "fetchProcessors.processors"}),
          field<&S::disable>("disable", kDisableDoc, {.flags = kSheet | kLive, .check = config::known_step_or_writer}),
          field<&S::guard>(
              "guard",
              "\"STEP: CONDITION\": the step is passed by unless the condition holds, as in \"extract: mime ^text/\" "
              "or \"records: not status 500..599\". \"writer NAME: CONDITION\" says what a writer of archive.writers "
              "writes. Conditions are those of rules (docs/rules.md). The guard of `body` is asked when the head of a "
              "response has come: unless it holds, the fetch ends there, and the head is kept without its body, as in "
              "\"body: not mime ^video/\" (midFetchAbort in crawl.log).",
              {.flags = kSheet | kLive, .check = config::sound_guard, .heritrix = "fetchHttp.shouldFetchBodyRule"}),
          field<&S::countries>("countries",
                               "The whole path of a file in the MaxMind DB format, such as GeoLite2-Country.mmdb, for "
                               "rules and guards with the condition 'country'.",
                               {.flags = kLive, .check = config::whole_path, .heritrix = "geoLookup.database"}),
      });
  return schema;
}

}  // namespace caddis::settings
