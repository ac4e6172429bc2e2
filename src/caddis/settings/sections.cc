#include "caddis/settings/sections.h"

#include <fmt/format.h>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::settings {
namespace {

std::unexpected<Error> refuse(std::string_view where, std::string_view reason) {
  constexpr size_t kLongest = 4000;  // all names of a section are less than that
  return fail(ErrorCode::config, fmt::format("{}: {}", where, visible(reason, kLongest)));
}

// "custom" of "robots-custom" and "seen" of "seen-memory"; empty if the section's name is no part of the name.
std::string_view without_section(std::string_view name, std::string_view section) {
  const std::string before = fmt::format("{}-", section), after = fmt::format("-{}", section);
  if (name.starts_with(before)) return name.substr(before.size());
  if (name.ends_with(after)) return name.substr(0, name.size() - after.size());
  return {};
}

}  // namespace

std::string unknown_setting(const Schema& schema, std::string_view name, const ConstSections& known) {
  const std::string message = fmt::format("unknown setting '{}'", name);
  for (const ConstSection& other : known) {
    if (other.schema == &schema) continue;
    const std::string_view section = other.schema->name();
    if (other.schema->find(name) != nullptr)
      return fmt::format("{} in '{}'; it belongs to '{}'", message, schema.name(), section);
    if (name == section) return fmt::format("{} in '{}'; '{}' is a section", message, schema.name(), section);
    const std::string_view rest = without_section(name, section);
    if (other.schema->find(rest) != nullptr)
      return fmt::format("{} in '{}'; did you mean '{}.{}'?", message, schema.name(), section, rest);
  }
  const std::string near = nearest_name(name, schema.names());
  if (!near.empty()) return fmt::format("{}; did you mean '{}'?", message, near);
  for (const ConstSection& other : known)
    if (const std::string far = nearest_name(name, other.schema->names()); !far.empty())
      return fmt::format("{} in '{}'; did you mean '{}.{}'?", message, schema.name(), other.schema->name(), far);
  return fmt::format("{}; '{}' has {}", message, schema.name(), fmt::join(schema.names(), ", "));
}

Result<void> apply(const Section& into, std::string_view name, std::string_view text, std::string_view where) {
  const Field* field = into.schema->find(name);
  if (field == nullptr) return refuse(where, unknown_setting(*into.schema, name));
  auto value = field->read(text);
  if (!value) return refuse(where, fmt::format("{}: {}", name, value.error().message));
  field->set(into.object, *value);
  return {};
}

Result<void> apply(const Section& into, std::string_view name, const std::vector<std::string>& texts,
                   std::string_view where) {
  const Field* field = into.schema->find(name);
  if (field != nullptr && field->kind == Kind::list) {
    for (const std::string& item : texts)
      if (const auto sound = field->check(item); !sound)
        return refuse(where, fmt::format("{}: {}", name, sound.error().message));
    field->set(into.object, texts);
    return {};
  }
  if (field != nullptr && texts.size() != 1) {
    return refuse(where, fmt::format("{} takes one value, not {}", name, texts.size()));
  }
  return apply(into, name, texts.empty() ? std::string_view() : std::string_view(texts.front()), where);
}

Result<void> apply(const Sections& into, std::string_view section_name, std::string_view name, std::string_view text,
                   std::string_view where) {
  std::vector<std::string> names;
  for (const Section& section : into) {
    if (section.schema->name() == section_name) {
      if (section.schema->find(name) == nullptr)
        return refuse(where, unknown_setting(*section.schema, name, {into.begin(), into.end()}));
      return apply(section, name, text, where);
    }
    names.emplace_back(section.schema->name());
  }
  const std::string near = nearest_name(section_name, names);
  return refuse(where, fmt::format("unknown section '{}'{}", section_name,
                                   near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

std::vector<Change> diff(const ConstSections& before, const ConstSections& after) {
  CADDIS_CHECK(before.size() == after.size());
  std::vector<Change> changes;
  for (size_t i = 0; i < before.size(); ++i) {
    CADDIS_CHECK(before[i].schema == after[i].schema);
    for (const Field& field : before[i].schema->fields()) {
      const Value old_value = field.get(before[i].object), new_value = field.get(after[i].object);
      if (old_value == new_value) continue;
      changes.push_back({std::string(before[i].schema->name()), std::string(field.name), field.write_shown(old_value),
                         field.write_shown(new_value), field.live()});
    }
  }
  return changes;
}

Result<std::vector<Change>> allowed_changes(const ConstSections& before, const ConstSections& after) {
  auto changes = diff(before, after);
  std::string refused;
  for (const Change& change : changes) {
    if (change.live) continue;
    refused += fmt::format("{}{}.{} was '{}' and is now '{}'", refused.empty() ? "" : "; ", change.section, change.name,
                           change.before, change.after);
  }
  if (refused.empty()) return changes;
  return fail(ErrorCode::config, "the crawl's state depends on settings that have changed: " + refused +
                                     ". Put the old values back, or begin a new crawl");
}

}  // namespace caddis::settings
