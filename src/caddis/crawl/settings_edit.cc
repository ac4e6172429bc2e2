#include "caddis/crawl/settings_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/crawl/live_changes.h"

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

std::string sheets_there_are(const config::Settings& settings) {
  std::string names;
  for (const settings::Sheet& sheet : settings.sheets) names += (names.empty() ? "" : ", ") + sheet.name;
  return names.empty() ? "; the crawl has none" : "; there are " + names;
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

// The fields of a setting, or of all of a section.
Result<std::vector<Place>> find_all(const settings::Sections& sections, const std::string& name) {
  std::vector<Place> places;
  for (const settings::Section& section : sections)
    if (section.schema->name() == name)
      for (const settings::Field& field : section.schema->fields()) places.push_back({section, &field});
  if (!places.empty()) return places;
  TRY(const Place place, find(sections, name));
  return std::vector{place};
}

Result<void> edit_crawl(config::Settings& wanted, const SettingsEdit& edit) {
  if (edit.removes_sheet) return fail(ErrorCode::config, "name the sheet that is to be taken away");
  for (auto& [name, values] : by_name(edit.settings)) {
    TRY(const Place place, find(sections_of(wanted), name));
    TRY_VOID(set(place, name, std::move(values)));
  }
  for (const std::string& name : edit.unset) {
    TRY(const auto places, find_all(sections_of(wanted), name));
    for (const Place& place : places)
      // A section keeps what a running crawl cannot change: nobody means that.
      if (places.size() == 1 || is_live(place.section.schema->name(), *place.field))
        place.field->set(place.section.object, place.field->default_value);
  }
  return {};
}

Result<void> unset_in_sheet(settings::Sheet& sheet, const settings::Sections& sections, const std::string& name) {
  TRY(const auto places, find_all(sections, name));
  bool was_set = false;
  for (const Place& place : places) was_set |= sheet.values.unset(*place.field);
  if (was_set) return {};
  return fail(ErrorCode::config, fmt::format("the sheet '{}' says nothing about {}", sheet.name, name));
}

Result<void> edit_sheet(config::Settings& wanted, const config::Settings& present, const SettingsEdit& edit) {
  const bool only_removes = edit.settings.empty();
  const bool is_known = std::ranges::find(wanted.sheets, edit.sheet, &settings::Sheet::name) != wanted.sheets.end();
  if (only_removes && !is_known)
    return fail(ErrorCode::config, fmt::format("there is no sheet '{}'{}", edit.sheet, sheets_there_are(wanted)));
  if (edit.removes_sheet) {
    std::erase_if(wanted.sheets, [&](const settings::Sheet& sheet) { return sheet.name == edit.sheet; });
    return {};
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
  for (const std::string& name : edit.unset) TRY_VOID(unset_in_sheet(*sheet, sections_of(scratch), name));
  std::erase_if(wanted.sheets, [](const settings::Sheet& one) { return one.values.empty(); });
  return {};
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
  TRY_VOID(edit.sheet.empty() ? edit_crawl(wanted, edit) : edit_sheet(wanted, present, edit));
  return wanted;
}

std::vector<settings::Change> changes_between(const config::Settings& before, const config::Settings& after) {
  auto changes = settings::diff(sections_of(before), sections_of(after));
  auto of_sheets = settings::diff(before.sheets, after.sheets);
  changes.insert(changes.end(), std::make_move_iterator(of_sheets.begin()), std::make_move_iterator(of_sheets.end()));
  return changes;
}

}  // namespace caddis::crawl
