#include "caddis/heritrix/imported_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/settings/sections.h"
#include "caddis/settings/yaml.h"
#include "caddis/settings/yaml_value.h"

namespace caddis::heritrix {
namespace {

struct Place {
  settings::Section section;
  const settings::Field* field = nullptr;
};

Result<Place> place_of(config::Settings& settings, std::string_view section_name, std::string_view name) {
  for (const settings::Section& section : config::sections_of(settings)) {
    if (section.schema->name() != section_name) continue;
    if (const settings::Field* const field = section.schema->find(name)) return Place{section, field};
  }
  return fail(ErrorCode::config, fmt::format("Caddis has no setting {}.{}", section_name, name));
}

Result<void> put(const Place& place, const std::vector<std::string>& texts, const std::string& from) {
  // An empty list is one text less than `apply` takes.
  if (texts.empty() && place.field->kind == settings::Kind::list) {
    place.field->set(place.section.object, std::vector<std::string>());
    return {};
  }
  return settings::apply(place.section, place.field->name, texts, from);
}

std::string commented(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) out += line.empty() ? "#\n" : fmt::format("# {}\n", line);
  return out;
}

}  // namespace

Result<bool> ImportedSettings::set(std::string_view section, std::string_view name,
                                   const std::vector<std::string>& texts, const std::string& from) {
  TRY(const Place place, place_of(settings_, section, name));
  TRY_VOID(put(place, texts, from));
  origins_[{std::string(section), std::string(name)}] = from;
  return place.field->get(place.section.object) == place.field->default_value;
}

Result<void> ImportedSettings::add_sheet(settings::Sheet sheet) {
  // The others have been checked.
  settings::Sheets others = std::exchange(settings_.sheets, {});
  settings_.sheets.push_back(std::move(sheet));
  auto sound = config::validate(settings_);
  if (sound) others.push_back(std::move(settings_.sheets.front()));
  settings_.sheets = std::move(others);
  return sound;
}

std::string_view ImportedSettings::origin(std::string_view section, std::string_view name) const {
  const auto found = origins_.find({std::string(section), std::string(name)});
  return found == origins_.end() ? std::string_view() : found->second;
}

std::string ImportedSettings::yaml(std::string_view heading, const std::vector<OtherDefault>& defaults) const {
  std::string out = commented(heading);
  for (const settings::ConstSection& section : config::sections_of(settings_)) {
    const std::string_view section_name = section.schema->name();
    std::string rows, left;
    for (const settings::Field& field : section.schema->fields()) {
      const std::string_view from = origin(section_name, field.name);
      const settings::Value value = field.get(section.object);
      if (from.empty() || value == field.default_value) continue;
      rows += fmt::format("  # {}\n  {}:{}\n", from, field.name, settings::yaml_value(field, value, 4));
    }
    for (const OtherDefault& one : defaults) {
      const auto parts = split(one.caddis, '.');
      if (one.value.empty() || parts.size() != 2 || parts[0] != section_name) continue;
      left += fmt::format("  # Heritrix's default: {}\n  # {}: {}\n", one.heritrix, parts[1], one.value);
    }
    if (rows.empty() && !left.empty()) out += fmt::format("\n# {}:\n{}", section_name, left);
    if (!rows.empty()) out += fmt::format("\n{}:\n{}{}", section_name, rows, left);
  }
  return out + settings::to_yaml(settings_.sheets, settings::Secrets::show);
}

Result<bool> SheetTarget::set(std::string_view section, std::string_view name, const std::vector<std::string>& texts,
                              const std::string& from) {
  TRY(const Place place, place_of(scratch_, section, name));
  if (!place.field->per_site())
    return fail(ErrorCode::config,
                fmt::format("{}.{} cannot differ between sites: set it for the whole crawl", section, name));
  TRY_VOID(put(place, texts, from));
  values_.set(*place.section.schema, *place.field, place.field->get(place.section.object));
  return false;
}

bool SheetTarget::is_of_hosts() const {
  return std::ranges::any_of(values_.entries(), [](const settings::Overlay::Entry& entry) {
    return (entry.field->row.flags & settings::kHostSheet) != 0;
  });
}

}  // namespace caddis::heritrix
