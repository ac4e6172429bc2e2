#include "caddis/config/pipeline_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "caddis/archive/writer_spec.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/config/step_rules.h"
#include "caddis/modules/registry.h"
#include "caddis/scope/rules.h"

namespace caddis::config {
namespace {

// A step of the visit of a URL, and what it asks of the others.
struct KnownStep {
  std::string_view name;
  std::string_view behind[2] = {};     // steps that come before it
  std::string_view before_fetch = {};  // why it stands there; empty if it does not
  std::string_view before_records = {};
  std::string_view needed = {};  // why it cannot be left out, and the way out; empty if it can
};
// Writers are guarded like steps: archive::writer_step.
constexpr std::string_view kWriterStep = "writer ";

constexpr KnownStep kSteps[] = {
    {.name = "preselect", .before_fetch = "what it rejects is not to be fetched"},
    {.name = "precondition",
     .before_fetch = "what robots.txt forbids is not to be fetched",
     .needed = "it asks robots.txt; robots.policy: ignore lets it allow everything"},
    {.name = "fetch", .needed = "without it there is nothing to archive; scope.exclude keeps URLs from being fetched"},
    {.name = "decode", .behind = {"fetch"}},
    {.name = "extract", .behind = {"decode"}},
    {.name = "walls", .behind = {"decode"}, .before_records = "it may keep walls out of the archive"},
    {.name = "dedup", .behind = {"fetch"}, .before_records = "records are written by what it has found"},
    {.name = "records",
     .behind = {"fetch"},
     .needed =
         "without it nothing is archived; a guard leaves documents out (pipeline.guard: [\"records: mime ^text/\"])"},
    {.name = "links", .behind = {"extract", "records"}},
};

const KnownStep* find_step(std::string_view name) {
  const auto* const found = std::ranges::find(kSteps, name, &KnownStep::name);
  return found == std::end(kSteps) ? nullptr : found;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::unexpected<Error> refuse(std::string_view setting, std::string why) {
  return fail(ErrorCode::config, fmt::format("pipeline.{}: {}", setting, std::move(why)));
}

// `step` is one of `order`.
Result<void> validate_place(const std::vector<std::string>& order, const KnownStep& step) {
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
  for (const KnownStep& step : kSteps) {
    if (has(order, step.name))
      TRY_VOID(validate_place(order, step));
    else if (!step.needed.empty())
      return refuse("url", fmt::format("{} is missing: {}", step.name, step.needed));
  }
  const auto fetch = std::ranges::find(order, "fetch");
  for (auto name = order.begin(); name != fetch; ++name)
    if (find_step(*name) == nullptr)
      return refuse("url", *name + " stands before fetch, where there is no page yet: put it behind fetch");
  return {};
}

Result<void> validate_disabled(const PipelineSettings& settings) {
  for (const std::string& name : settings.disable)
    if (const KnownStep* step = find_step(name); step != nullptr && !step->needed.empty())
      return refuse("disable", fmt::format("{} cannot be disabled: {}", name, step->needed));
  if (has(settings.disable, "decode") && has(settings.url, "extract") && !has(settings.disable, "extract"))
    return refuse("disable", "extract reads what decode has made: disable extract, too");
  return {};
}

Result<void> validate_guards(const PipelineSettings& settings) {
  for (const std::string& text : settings.guard) {
    TRY(const StepGuard guard, StepGuard::parse(text, scope::read_no_file));
    if (guard.step == "precondition" || guard.step == "fetch")
      return refuse("guard", fmt::format("{} has no guard: {}", guard.step, find_step(guard.step)->needed));
    if (guard.step == "preselect" && guard.predicate.needs_answer())
      return refuse("guard", "preselect comes before the fetch: nothing of the answer is known there");
    const bool asks_country = std::ranges::any_of(guard.predicate.kinds(),
                                                  [](const scope::RuleKind* kind) { return kind->name == "country"; });
    if (asks_country && settings.countries.empty())
      return refuse("guard",
                    "country needs a file: name it by pipeline.countries, as in /var/lib/GeoIP/"
                    "GeoLite2-Country.mmdb");
  }
  return {};
}

const modules::LoadedModule* find_step_module(std::string_view name) {
  const modules::LoadedModule* const module = modules::find_module(name);
  return module != nullptr && module->description().make_step ? module : nullptr;
}

Result<void> known_step(std::string_view name) {
  if (find_step(name) != nullptr || find_step_module(name) != nullptr) return {};
  std::vector<std::string> names = step_names();
  for (const modules::LoadedModule* module : modules::loaded_modules())
    if (module->description().make_step) names.push_back(module->name());
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

std::vector<std::string> step_names() {
  std::vector<std::string> names;
  for (const KnownStep& step : kSteps) names.emplace_back(step.name);
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
  static const Schema schema(
      "pipeline", "The steps that the visit of a URL takes.",
      {
          field<&S::url>(
              "url",
              "The steps in their order. Some may be left out (preselect, decode, extract, walls, dedup, links); "
              "extract "
              "may stand behind records, which then do not name the outlinks. Modules with a step (modules.load) are "
              "named like other steps, and stand behind fetch.",
              {.flags = kLive | kExpert, .check = config::known_step, .heritrix = "fetchProcessors.processors"}),
          field<&S::disable>(
              "disable",
              "Steps that are passed by: preselect, decode with extract, extract, walls, dedup, links; and "
              "writers (archive.writers), as in \"writer mirror\".",
              {.flags = kSheet | kLive, .check = config::known_step_or_writer}),
          field<&S::guard>(
              "guard",
              "\"STEP: CONDITION\": the step is passed by unless the condition holds, as in \"extract: mime ^text/\" "
              "or \"records: not status 500..599\". \"writer NAME: CONDITION\" says what a writer of archive.writers "
              "writes. Conditions are those of rules (docs/rules.md). The guard of `body` "
              "is "
              "asked when the head of a response has come: unless it holds, the fetch ends there, and the head is kept "
              "without its body, as in \"body: not mime ^video/\" (midFetchAbort in crawl.log).",
              {.flags = kSheet | kLive, .check = config::sound_guard, .heritrix = "fetchHttp.shouldFetchBodyRule"}),
          field<&S::countries>("countries",
                               "The whole path of a file in the MaxMind DB format, such as GeoLite2-Country.mmdb, for "
                               "rules and guards with the condition 'country'.",
                               {.flags = kLive, .check = config::whole_path, .heritrix = "geoLookup.database"}),
      });
  return schema;
}

}  // namespace caddis::settings
