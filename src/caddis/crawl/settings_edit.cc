#include "caddis/crawl/settings_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::crawl {
namespace {

// Values by their names, in the order in which they are given.
using ByName = std::vector<std::pair<std::string, std::vector<std::string>>>;

ByName by_name(const std::vector<NewSetting>& settings) {
  ByName names;
  for (const NewSetting& one : settings) {
    auto known = std::ranges::find(names, one.name, &ByName::value_type::first);
    if (known == names.end()) known = names.insert(names.end(), {one.name, {}});
    known->second.push_back(one.value);
  }
  return names;
}

struct Place {
  settings::Section section;
  const settings::Field* field;
};

Result<Place> find(const settings::Sections& sections, const std::string& full_name) {
  const size_t dot = full_name.find('.');
  if (dot == std::string::npos)
    return fail(ErrorCode::config,
                fmt::format("'{}' is no setting: write for example limits.max-documents", full_name));
  const auto section = std::ranges::find(sections, std::string_view(full_name).substr(0, dot),
                                         [](const settings::Section& one) { return one.schema->name(); });
  if (section == sections.end())
    return fail(ErrorCode::config, fmt::format("{}: there is no section '{}'", full_name, full_name.substr(0, dot)));
  const std::string_view name = std::string_view(full_name).substr(dot + 1);
  const settings::Field* field = section->schema->find(name);
  if (field == nullptr)
    return fail(ErrorCode::config,
                fmt::format("{}: {}", full_name,
                            settings::unknown_setting(*section->schema, name, {sections.begin(), sections.end()})));
  return Place{*section, field};
}

Result<void> set(const Place& place, const std::string& full_name, std::vector<std::string> values) {
  if (place.field->kind == settings::Kind::list && values.size() == 1 && values[0].empty()) values.clear();
  return settings::apply(place.section, place.field->name, values, full_name);
}

Result<settings::Sheet*> sheet_of(config::Settings& wanted, const SettingsEdit& edit) {
  const auto found = std::ranges::find(wanted.sheets, edit.sheet, &settings::Sheet::name);
  if (found != wanted.sheets.end()) {
    if (!edit.sites.empty() && found->sites != edit.sites)
      return fail(ErrorCode::config,
                  fmt::format("there is a sheet '{}' for other sites: choose another name", edit.sheet));
    // A sheet that is named by its sites outranks the others, as when it was made.
    if (!edit.sites.empty()) std::rotate(found, found + 1, wanted.sheets.end());
    return edit.sites.empty() ? &*found : &wanted.sheets.back();
  }
  if (edit.sites.empty())
    return fail(ErrorCode::config,
                fmt::format("there is no sheet '{}': name the sites for which it is to hold", edit.sheet));
  wanted.sheets.push_back({edit.sheet, edit.sites, {}, {}});
  return &wanted.sheets.back();
}

}  // namespace

std::string sheet_name_of(const std::vector<std::string>& sites) {
  constexpr size_t kLongest = 100;
  std::string name;
  for (const std::string& site : sites) {
    if (!name.empty()) name += '+';
    for (const char c : site) {
      if (is_alnum(c) || c == '.' || c == '_')
        name += c;
      else if (!name.empty() && name.back() != '-')
        name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name.size() <= kLongest ? name : name.substr(0, kLongest);
}

Result<config::Settings> edited(const config::Settings& present, const SettingsEdit& edit) {
  config::Settings wanted = present;
  if (edit.sheet.empty()) {
    for (auto& [name, values] : by_name(edit.settings)) {
      TRY(const Place place, find(sections_of(wanted), name));
      TRY_VOID(set(place, name, std::move(values)));
    }
    return wanted;
  }
  TRY(settings::Sheet * sheet, sheet_of(wanted, edit));
  config::Settings scratch = present;  // where values are read as the tables read them
  for (auto& [name, values] : by_name(edit.settings)) {
    TRY(const Place place, find(sections_of(scratch), name));
    if (!place.field->per_site())
      return fail(ErrorCode::config, fmt::format("{} cannot differ between sites: it holds for the whole crawl", name));
    TRY_VOID(set(place, name, std::move(values)));
    sheet->values.set(*place.section.schema, *place.field, place.field->get(place.section.object));
  }
  return wanted;
}

Result<std::vector<settings::Change>> changes_between(const config::Settings& before, const config::Settings& after) {
  auto changes = settings::diff(sections_of(before), sections_of(after));
  TRY(auto of_sheets, settings::allowed_changes(before.sheets, after.sheets));
  changes.insert(changes.end(), std::make_move_iterator(of_sheets.begin()), std::make_move_iterator(of_sheets.end()));
  return changes;
}

}  // namespace caddis::crawl
