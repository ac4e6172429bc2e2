// Settings as YAML, from the structs.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/settings/yaml.h"

namespace caddis::settings {
namespace {

// Plain where YAML reads it back as the same text, otherwise in double quotes (JSON strings are YAML).
std::string yaml_text(std::string_view text) {
  const bool plain =
      !text.empty() && is_alnum(text.front()) &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+") == text.npos;
  if (plain && text != "null") return std::string(text);
  std::string quoted = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\', quoted += static_cast<char>(c);
    else if (c < 0x20 || c == 0x7F)
      quoted += fmt::format("\\x{:02x}", c);
    else
      quoted += static_cast<char>(c);
  }
  return quoted + '"';
}

// Items of a list stand on lines of their own.
std::string yaml_list(const std::vector<std::string>& items, size_t indent) {
  if (items.empty()) return " []";
  std::string lines;
  for (const std::string& item : items) lines += fmt::format("\n{:{}}- {}", "", indent, yaml_text(item));
  return lines;
}

// " 3", with what separates it from the colon.
std::string yaml_value(const Field& field, const Value& value, size_t indent) {
  if (std::holds_alternative<std::monostate>(value)) return " null";
  const auto* items = std::get_if<std::vector<std::string>>(&value);
  return items == nullptr ? " " + yaml_text(field.write(value)) : yaml_list(*items, indent);
}

std::string sheet_values(const Overlay& values) {
  std::string out;
  std::vector<const Schema*> written;
  for (const Overlay::Entry& first : values.entries()) {
    if (std::ranges::find(written, first.schema) != written.end()) continue;
    written.push_back(first.schema);
    out += fmt::format("      {}:\n", first.schema->name());
    for (const Overlay::Entry& entry : values.entries())
      if (entry.schema == first.schema)
        out += fmt::format("        {}:{}\n", entry.field->name, yaml_value(*entry.field, entry.value, 10));
  }
  return out;
}

std::string row_comment(const Field& field) {
  const std::string range = field.range();
  return fmt::format("  # {}{}\n", field.doc, range.empty() ? "" : fmt::format(" ({})", range));
}

}  // namespace

std::string to_yaml(const ConstSections& sections, Secrets secrets) {
  std::string out;
  for (const ConstSection& section : sections) {
    std::string rows;
    for (const Field& field : section.schema->fields()) {
      if (secrets == Secrets::only && !field.secret()) continue;
      rows += row_comment(field);
      if (field.secret() && secrets == Secrets::hide)
        rows += fmt::format("  # {}: (secret, not written)\n", field.name);
      else {
        rows += fmt::format("  {}:{}\n", field.name, yaml_value(field, field.get(section.object), 4));
      }
    }
    if (rows.empty()) continue;
    if (!out.empty()) out += '\n';
    out += fmt::format("# {}\n{}:\n{}", section.schema->doc(), section.schema->name(), rows);
  }
  return out;
}

std::string to_yaml(const Sheets& sheets) {
  if (sheets.empty()) return {};
  std::string out = "\n# Settings for parts of the web; the later sheet counts.\nsheets:\n";
  for (const Sheet& sheet : sheets)
    out += fmt::format("  {}:\n    sites:{}\n    urls:{}\n    settings:\n{}", yaml_text(sheet.name),
                       yaml_list(sheet.sites, 6), yaml_list(sheet.urls, 6), sheet_values(sheet.values));
  return out;
}

}  // namespace caddis::settings
