// A table of settings has rows that read and write a field of a struct by plain functions. A module's values stand in a
// list: its rows use one pair of functions for each place of the list, made by a template.
#include "caddis/modules/module_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "caddis/base/visible.h"
#include "caddis/modules/registry.h"

namespace caddis::modules {
namespace {

using Fields = std::vector<settings::Value>;

constexpr size_t kMostSettings = 32;  // of a module

// It becomes a comment of crawl.yaml.
Result<void> check_doc(std::string_view doc) {
  if (!doc.ends_with('.')) return fail(ErrorCode::config, "it needs a doc that ends in a full stop");
  return settings::single_line(doc);
}

// A row reads and writes its field by plain functions: one pair for each place in the list.
struct Access {
  settings::Value (*get)(const void* object);
  void (*set)(void* object, const settings::Value& value);
};

template <size_t I>
constexpr Access kAccess = {
    [](const void* object) { return static_cast<const Fields*>(object)->at(I); },
    [](void* object, const settings::Value& value) { static_cast<Fields*>(object)->at(I) = value; }};

template <size_t... I>
constexpr std::array<Access, sizeof...(I)> accesses(std::index_sequence<I...> /*places*/) {
  return {kAccess<I>...};
}
constexpr auto kAccesses = accesses(std::make_index_sequence<kMostSettings>());

settings::Kind kind_of(Kind kind) {
  switch (kind) {
    case Kind::flag:
      return settings::Kind::boolean;
    case Kind::number:
      return settings::Kind::integer;
    case Kind::real:
      return settings::Kind::real;
    case Kind::list:
      return settings::Kind::list;
    case Kind::duration:
      return settings::Kind::duration;
    case Kind::size:
      return settings::Kind::bytes;
    case Kind::none:
    case Kind::text:
      break;
  }
  return settings::Kind::text;
}

Kind kind_of(settings::Kind kind) {
  for (const Kind known : {Kind::flag, Kind::number, Kind::real, Kind::list, Kind::duration, Kind::size})
    if (kind_of(known) == kind) return known;
  return Kind::text;
}

Result<settings::Value> default_of(const settings::Field& field, std::string_view text) {
  if (field.kind != settings::Kind::list) return field.read(text);
  std::vector<std::string> items;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    TRY_VOID(field.check(text.substr(0, end)));
    items.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return settings::Value(std::move(items));
}

Result<settings::Field> field_of(const Setting& setting, size_t place) {
  settings::Field field;
  field.name = setting.name;
  field.doc = setting.doc;
  field.kind = kind_of(setting.kind);
  field.row.flags = settings::kLive | (setting.per_site ? unsigned{settings::kSheet} : 0U);
  if (field.kind == settings::Kind::bytes) field.row.unit = settings::kBytes;
  field.get = kAccesses.at(place).get;
  field.set = kAccesses.at(place).set;
  if (!is_name(setting.name))
    return fail(ErrorCode::config, "a name has lower case letters, digits and hyphens, and begins with a letter");
  TRY_VOID(check_doc(setting.doc));
  if (field.kind == settings::Kind::list && !(setting.min + setting.max).empty())
    return fail(ErrorCode::config, "a list has no bounds");
  for (const std::string* bound : {&setting.min, &setting.max})
    if (!bound->empty()) TRY_VOID(field.read(*bound));
  field.row.min = setting.min;
  field.row.max = setting.max;
  TRY(field.default_value, default_of(field, setting.default_value));
  return field;
}

template <class T>
T as(const settings::Value& value, std::string_view name, std::string_view kind) {
  if (const T* held = std::get_if<T>(&value)) return *held;
  throw std::invalid_argument(fmt::format("the setting '{}' is no {}", name, kind));
}

}  // namespace

Result<std::unique_ptr<const settings::Schema>> schema_of_module(const Description& description) {
  if (description.settings.size() > kMostSettings)
    return fail(ErrorCode::config, fmt::format("module {} has {} settings; a module may have {}", description.name,
                                               description.settings.size(), kMostSettings));
  if (auto sound = check_doc(description.doc); !sound)
    return pass(std::move(sound).error(), fmt::format("module {}", description.name));
  std::vector<settings::Field> fields;
  for (const Setting& setting : description.settings) {
    auto field = field_of(setting, fields.size());
    if (!field)
      return pass(std::move(field).error(),
                  fmt::format("module {}: setting '{}'", description.name, visible(setting.name, kQuoted)));
    if (std::ranges::find(fields, field->name, &settings::Field::name) != fields.end())
      return fail(ErrorCode::config,
                  fmt::format("module {} has the setting '{}' twice", description.name, setting.name));
    fields.push_back(*std::move(field));
  }
  return std::make_unique<const settings::Schema>(description.name, description.doc, std::move(fields));
}

settings::Sections ModuleSections::sections(std::span<const std::string> files) {
  settings::Sections sections;
  if (files.empty()) return sections;
  for (const LoadedModule* module : modules_of(files)) {
    if (module->schema() == nullptr) continue;
    Fields& fields = values_[module->name()];
    if (fields.empty()) fields = module->defaults();
    sections.push_back({module->schema(), &fields});
  }
  return sections;
}

settings::ConstSections ModuleSections::sections(std::span<const std::string> files) const {
  settings::ConstSections sections;
  if (files.empty()) return sections;
  for (const LoadedModule* module : modules_of(files))
    if (module->schema() != nullptr) sections.push_back(of(*module));
  return sections;
}

settings::ConstSection ModuleSections::of(const LoadedModule& module) const {
  const auto set = values_.find(module.name());
  return {module.schema(), set == values_.end() ? &module.defaults() : &set->second};
}

bool ModuleSections::differ(const ModuleSections& others, const LoadedModule& module) const {
  const auto values = [&](const ModuleSections& sections) -> const Fields& {
    const auto set = sections.values_.find(module.name());
    return set == sections.values_.end() ? module.defaults() : set->second;
  };
  return values(*this) != values(others);
}

ModuleValues::ModuleValues(const LoadedModule& module, const ModuleSections& sections)
    : section_(sections.of(module)) {}

settings::Value ModuleValues::value(std::string_view name) const {
  const settings::Field* field = section_.schema == nullptr ? nullptr : section_.schema->find(name);
  if (field == nullptr) throw std::invalid_argument(fmt::format("there is no setting '{}'", name));
  return field->get(section_.object);
}

Kind ModuleValues::kind(std::string_view name) const {
  const settings::Field* field = section_.schema == nullptr ? nullptr : section_.schema->find(name);
  return field == nullptr ? Kind::none : kind_of(field->kind);
}

bool ModuleValues::flag(std::string_view name) const { return as<bool>(value(name), name, "flag"); }

int64_t ModuleValues::number(std::string_view name) const {
  const settings::Value held = value(name);
  if (const auto* duration = std::get_if<Duration>(&held))
    return std::chrono::duration_cast<std::chrono::milliseconds>(*duration).count();
  return as<int64_t>(held, name, "number");
}

double ModuleValues::real(std::string_view name) const { return as<double>(value(name), name, "real number"); }

std::string ModuleValues::text(std::string_view name) const { return as<std::string>(value(name), name, "text"); }

std::vector<std::string> ModuleValues::list(std::string_view name) const {
  return as<std::vector<std::string>>(value(name), name, "list");
}

}  // namespace caddis::modules
