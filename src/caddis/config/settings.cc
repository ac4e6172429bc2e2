#include "caddis/config/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/modules/registry.h"

namespace caddis::config {
namespace {

// The one list of sections; `Sections` is Sections or ConstSections.
template <class Sections, class Settings>
Sections list_sections(Settings& all) {
  using settings::section;
  Sections sections = {
      section(all.crawl),      section(all.scope),     section(all.limits),     section(all.robots),
      section(all.politeness), section(all.frontier),  section(all.quota),      section(all.canonicalization),
      section(all.dns),        section(all.fetch),     section(all.cookies),    section(all.logins),
      section(all.extract),    section(all.documents), section(all.walls),      section(all.feeds),
      section(all.pipeline),   section(all.dedup),     section(all.archive),    section(all.logs),
      section(all.alerts),     section(all.memory),    section(all.checkpoint), section(all.modules)};
  for (const auto& of_module : all.modules.sections.sections(all.modules.load)) sections.push_back(of_module);
  return sections;
}

}  // namespace

settings::Sections sections_of(Settings& settings) { return list_sections<settings::Sections>(settings); }
settings::ConstSections sections_of(const Settings& settings) {
  return list_sections<settings::ConstSections>(settings);
}

std::vector<const settings::Schema*> settings_schemas(const Settings& settings) {
  std::vector<const settings::Schema*> schemas;
  for (const settings::ConstSection& section : sections_of(settings)) schemas.push_back(section.schema);
  return schemas;
}

Result<void> load_modules(const Settings& settings) {
  if (settings.modules.load.empty()) return {};
  // Sections, steps, and reports of Caddis's own.
  std::vector<std::string> taken = default_steps();
  taken.insert(taken.end(), {"sheets", "extends", "log", "disposition", "crawl", "seeds", "hosts", "mimetype",
                             "responsecode", "processors", "recovery"});
  const Settings own;
  for (const settings::ConstSection& section : sections_of(own)) taken.emplace_back(section.schema->name());
  modules::apply_bounds(settings.modules);
  TRY_VOID(modules::load_modules(settings.modules.load, taken));
  modules::apply_bounds(settings.modules);
  return {};
}

settings::FirstSection modules_first(Settings& into) {
  // Those of several files add up: what one of them says may need its modules.
  auto files = std::make_shared<std::vector<std::string>>(into.modules.load);
  return {settings::schema_of<modules::ModulesSettings>().name(), [&into, files]() -> Result<settings::Sections> {
            *files = join_modules(*files, into.modules.load);
            into.modules.load = *files;
            TRY_VOID(load_modules(into));
            return sections_of(into);
          }};
}

Result<void> load_secrets(std::string_view yaml, std::string_view file_name, Settings& into) {
  return settings::load_secrets(yaml, file_name, sections_of(into), into.sheets);
}

std::string settings_yaml(const Settings& settings, settings::Secrets secrets) {
  std::string yaml = settings::to_yaml(sections_of(settings), secrets);
  return yaml += settings::to_yaml(settings.sheets, secrets);
}

std::vector<std::string> join_modules(std::vector<std::string> files, const std::vector<std::string>& more) {
  for (const std::string& file : more)
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  return files;
}

Result<void> check_same_modules(const Settings& before, const Settings& after) {
  if (before.modules.load == after.modules.load) return {};
  return fail(
      ErrorCode::config,
      "modules.load holds for the whole crawl, and cannot change in it; a script may be changed where it lies. With "
      "other modules begin a new crawl: caddis crawl --from-checkpoint takes over what this one knows and has "
      "waiting");
}

Result<std::vector<settings::Change>> allowed_changes(const Settings& before, const Settings& after) {
  TRY_VOID(check_same_modules(before, after));
  TRY_VOID(check_same_keys(before.canonicalization, after.canonicalization));
  if (before.crawl.seeds != after.crawl.seeds)
    return fail(
        ErrorCode::config,
        "crawl.seeds are those that the crawl began with: resume it without new ones, and add them while it runs "
        "(caddis frontier --add URL --seed, or a .seeds file in its folder action/; --run-while-empty keeps it "
        "from ending before), or resume it with a file of them (--seeds FILE)");
  Settings same = after;
  same.canonicalization = before.canonicalization;  // perhaps written in another way
  auto live = settings::allowed_changes(sections_of(before), sections_of(std::as_const(same)));
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
