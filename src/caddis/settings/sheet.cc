#include "caddis/settings/sheet.h"

#include <fmt/format.h>

#include <algorithm>

namespace caddis::settings {
namespace {

// What a change of a sheet means for a crawl that goes on: the value of a field, and where it counts.
struct Said {
  std::string where, value;
  std::string shown;  // of the value
  bool operator==(const Said&) const = default;
};

std::string where(const Sheet& sheet) {
  const auto also = [](std::string_view what, const std::vector<std::string>& items) {
    return items.empty() ? "" : fmt::format(" {} {}", what, fmt::join(items, " "));
  };
  return fmt::format("{}{}{}", fmt::join(sheet.sites, " "), also("urls", sheet.urls), also("times", sheet.times)) +
         (sheet.when.empty() ? "" : " when " + sheet.when);
}

// All that sheets say of one field, in their order.
std::vector<Said> said_of(const Sheets& sheets, const Field& field) {
  std::vector<Said> said;
  for (const Sheet& sheet : sheets)
    for (const Overlay::Entry& entry : sheet.values.entries())
      if (entry.field == &field)
        said.push_back({where(sheet), field.write(entry.value), field.write_shown(entry.value)});
  return said;
}

std::string shown(const std::vector<Said>& said) {
  std::string text;
  for (const Said& one : said) text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", one.shown, one.where);
  return text.empty() ? "in no sheet" : text;
}

}  // namespace

void Overlay::set(const Schema& schema, const Field& field, Value value) {
  const auto known = std::ranges::find(entries_, &field, &Entry::field);
  if (known != entries_.end())
    known->value = std::move(value);
  else
    entries_.push_back({&schema, &field, std::move(value)});
}

bool Overlay::unset(const Field& field) {
  return std::erase_if(entries_, [&](const Entry& entry) { return entry.field == &field; }) > 0;
}

void Overlay::lay_over(const Sections& into) const {
  for (const Entry& entry : entries_)
    for (const Section& section : into)
      if (section.schema == entry.schema)
        entry.field->set(section.object, entry.field->laid_over(entry.field->get(section.object), entry.value));
}

bool Overlay::touches(const Schema& schema) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.schema == &schema; });
}

Result<void> check_sheet_name(std::string_view name) {
  constexpr size_t kLongest = 100;
  const bool is_word =
      !name.empty() && name.size() <= kLongest && name.find_first_of(" ,") == name.npos &&
      std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
  if (is_word) return {};
  return fail(ErrorCode::config, "a sheet's name is a word without spaces and commas, of at most 100 bytes");
}

std::vector<Change> diff(const Sheets& before, const Sheets& after) {
  std::vector<Change> changes;
  std::vector<const Field*> seen;
  for (const Sheets* sheets : {&before, &after})
    for (const Sheet& sheet : *sheets)
      for (const Overlay::Entry& entry : sheet.values.entries()) {
        if (std::ranges::find(seen, entry.field) != seen.end()) continue;
        seen.push_back(entry.field);
        const auto was = said_of(before, *entry.field), is = said_of(after, *entry.field);
        if (was == is) continue;
        changes.push_back({"sheets: " + std::string(entry.schema->name()), std::string(entry.field->name), shown(was),
                           shown(is), entry.field->live()});
      }
  return changes;
}

Result<std::vector<Change>> allowed_changes(const Sheets& before, const Sheets& after) {
  auto changes = diff(before, after);
  std::string refused;
  for (const Change& change : changes)
    if (!change.live)
      refused += fmt::format("{}{}.{} was {} and is now {}", refused.empty() ? "" : "; ", change.section, change.name,
                             change.before, change.after);
  if (refused.empty()) return changes;
  return fail(ErrorCode::config, "the crawl's state depends on settings of sheets that have changed: " + refused +
                                     ". Put the old values back, or begin a new crawl");
}

}  // namespace caddis::settings
