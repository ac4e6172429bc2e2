#include "caddis/config/settings.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/io/files.h"
#include "caddis/modules/registry.h"

namespace caddis::config {
namespace {

// The one list of sections; `Sections` is Sections or ConstSections.
template <class Sections, class Settings>
Sections sections_of(Settings& all) {
  using settings::section;
  Sections sections = {section(all.crawl),      section(all.scope),      section(all.limits),   section(all.robots),
                       section(all.politeness), section(all.frontier),   section(all.quota),    section(all.dns),
                       section(all.fetch),      section(all.extract),    section(all.pipeline), section(all.archive),
                       section(all.memory),     section(all.checkpoint), section(all.modules)};
  for (const auto& of_module : all.of_modules.sections()) sections.push_back(of_module);
  return sections;
}

}  // namespace

settings::Sections Settings::sections() { return sections_of<settings::Sections>(*this); }
settings::ConstSections Settings::sections() const { return sections_of<settings::ConstSections>(*this); }

std::vector<const settings::Schema*> settings_schemas() {
  const Settings defaults;
  std::vector<const settings::Schema*> schemas;
  for (const settings::ConstSection& section : defaults.sections()) schemas.push_back(section.schema);
  return schemas;
}

Result<void> load_modules(const Settings& settings) {
  if (settings.modules.load.empty()) return {};
  std::vector<std::string> taken = step_names();
  const Settings own;
  for (const settings::ConstSection& section : own.sections())
    if (modules::find_module(section.schema->name()) == nullptr) taken.emplace_back(section.schema->name());
  return modules::load_modules(settings.modules.load, taken);
}

Result<void> load_settings_file(io::Files& files, const std::string& path, Settings& into) {
  auto text = files.read_all(path, settings::kMostYaml);
  if (text) return load_settings(*text, path, into);
  Error error = std::move(text).error();
  if (error.code == ErrorCode::limit)
    return fail(ErrorCode::config,
                fmt::format("{}: larger than {} MB, this is no settings file (many seeds are given with --seeds FILE)",
                            path, settings::kMostYaml / 1'000'000));
  if (error.code == ErrorCode::unsupported) error.code = ErrorCode::config;
  return std::unexpected(std::move(error));
}

Result<void> load_secrets(std::string_view yaml, std::string_view file_name, Settings& into) {
  return settings::load_secrets(yaml, file_name, into.sections(), into.sheets);
}

std::string settings_yaml(const Settings& settings, settings::Secrets secrets) {
  std::string yaml = settings::to_yaml(settings.sections(), secrets);
  return yaml += settings::to_yaml(settings.sheets, secrets);
}

Result<std::vector<settings::Change>> allowed_changes(const Settings& before, const Settings& after) {
  if (before.crawl.seeds != after.crawl.seeds)
    return fail(
        ErrorCode::config,
        "crawl.seeds are those that the crawl began with: resume it without new ones, and add them while it runs "
        "(caddis frontier --add URL --seed, or a .seeds file in its folder action/; --run-while-empty keeps it "
        "from ending before)");
  auto live = settings::allowed_changes(before.sections(), after.sections());
  if (!live) {
    live.error().message += " (caddis crawl --from-checkpoint takes over what this one knows and has waiting)";
    return live;
  }
  std::vector<settings::Change> changes = *std::move(live);
  TRY(auto of_sheets, settings::allowed_changes(before.sheets, after.sheets));
  changes.insert(changes.end(), of_sheets.begin(), of_sheets.end());
  return changes;
}

}  // namespace caddis::config
