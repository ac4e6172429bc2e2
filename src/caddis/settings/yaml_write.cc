// Settings as YAML, from the structs.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/settings/yaml.h"
#include "caddis/settings/yaml_value.h"

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

// Where secrets are hidden, one stands with its default: whoever reads the sheet without them sends none.
std::string sheet_row(const Overlay::Entry& entry, Secrets secrets) {
  const Field& field = *entry.field;
  if (secrets == Secrets::only && !field.secret()) return {};
  const bool is_hidden = secrets == Secrets::hide && field.secret();
  return fmt::format("        {}:{}{}\n", field.name,
                     yaml_value(field, is_hidden ? field.default_value : entry.value, 10),
                     is_hidden ? "  # (secret, not written)" : "");
}

std::string sheet_values(const Overlay& values, Secrets secrets) {
  std::string out;
  std::vector<const Schema*> written;
  for (const Overlay::Entry& first : values.entries()) {
    if (std::ranges::find(written, first.schema) != written.end()) continue;
    written.push_back(first.schema);
    std::string rows;
    for (const Overlay::Entry& entry : values.entries())
      if (entry.schema == first.schema) rows += sheet_row(entry, secrets);
    if (!rows.empty()) out += fmt::format("      {}:\n{}", first.schema->name(), rows);
  }
  return out;
}

std::string row_comment(const Field& field) {
  const std::string range = field.range();
  return fmt::format("  # {}{}\n", field.doc, range.empty() ? "" : fmt::format(" ({})", range));
}

}  // namespace

std::string yaml_value(const Field& field, const Value& value, size_t indent) {
  if (std::holds_alternative<std::monostate>(value)) return " null";
  const auto* items = std::get_if<std::vector<std::string>>(&value);
  return items == nullptr ? " " + yaml_text(field.write(value)) : yaml_list(*items, indent);
}

std::string to_yaml(const ConstSections& sections, Secrets secrets) {
  std::string out;
  for (const ConstSection& section : sections) {
    std::string rows;
    for (const Field& field : section.schema->fields()) {
      const Value value = field.get(section.object);
      const bool is_partly_secret = field.shown(value) != value;
      if (secrets == Secrets::only && !field.secret() && !is_partly_secret) continue;
      rows += row_comment(field);
      if (field.secret() && secrets == Secrets::hide)
        rows += fmt::format("  # {}: (secret, not written)\n", field.name);
      else {
        const bool in_part = is_partly_secret && secrets == Secrets::hide;
        rows += fmt::format("{}  {}:{}\n", in_part ? "  # (without what is secret of it)\n" : "", field.name,
                            yaml_value(field, in_part ? field.shown(value) : value, 4));
      }
    }
    if (rows.empty()) continue;
    if (!out.empty()) out += '\n';
    out += fmt::format("# {}\n{}:\n{}", section.schema->doc(), section.schema->name(), rows);
  }
  return out;
}

std::string to_yaml(const Sheets& sheets, Secrets secrets) {
  std::string all;
  for (const Sheet& sheet : sheets) {
    const std::string values = sheet_values(sheet.values, secrets);
    if (secrets == Secrets::only && values.empty()) continue;
    all += fmt::format("  {}:\n", yaml_text(sheet.name));
    if (secrets != Secrets::only) {
      all += fmt::format("    sites:{}\n    urls:{}\n", yaml_list(sheet.sites, 6), yaml_list(sheet.urls, 6));
      if (!sheet.when.empty()) all += fmt::format("    when: {}\n", yaml_text(sheet.when));
      if (!sheet.times.empty()) all += fmt::format("    times:{}\n", yaml_list(sheet.times, 6));
    }
    all += fmt::format("    settings:\n{}", values);
  }
  return all.empty() ? all : "\n# Settings for parts of the web; the later sheet counts.\nsheets:\n" + all;
}

}  // namespace caddis::settings
