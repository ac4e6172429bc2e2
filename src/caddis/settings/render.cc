#include "caddis/settings/render.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/json_text.h"

namespace caddis::settings {
namespace {

std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string json_array(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? "," : "") + json_text(item);
  return out + "]";
}

std::string json_value(const Field& field, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return "null";
  if (const auto* items = std::get_if<std::vector<std::string>>(&value)) return json_array(*items);
  const bool bare = field.kind == Kind::boolean || field.kind == Kind::integer || field.kind == Kind::real;
  return bare ? field.write(value) : json_text(field.write(value));
}

std::string json_type(std::string_view type, const Field& field) {
  return field.optional ? fmt::format("[\"{}\",\"null\"]", type) : fmt::format("\"{}\"", type);
}

void add_type(JsonObject& property, const Field& field) {
  switch (field.kind) {
    case Kind::boolean:
      property.add_raw("type", json_type("boolean", field));
      break;
    case Kind::integer:
      property.add_raw("type", json_type("integer", field));
      break;
    case Kind::real:
      property.add_raw("type", json_type("number", field));
      break;
    case Kind::text:
      property.add_raw("type", json_type("string", field));
      break;
    case Kind::list:
      property.add("type", "array").add_raw("items", R"({"type":"string"})");
      break;
    case Kind::duration:
    case Kind::bytes:
      property.add_raw("type", field.optional ? R"(["string","number","null"])" : R"(["string","number"])");
      property.add("format", field.kind == Kind::duration ? "duration" : "size");
      break;
    case Kind::choice: {
      std::vector<std::string> names;
      for (const Choice& choice : field.row.choices) names.emplace_back(choice.name);
      property.add_raw("enum", json_array(names));
      break;
    }
  }
}

// In a sheet, what is not set is as elsewhere: there is no default.
enum class Where { crawl, sheet };

std::string constraint_object(const Constraint& constraint) {
  JsonObject object;
  object.add("x-severity", to_string(constraint.severity)).add("description", constraint.text);
  if (!constraint.min.empty()) object.add("minimum", constraint.min);
  if (!constraint.max.empty()) object.add("maximum", constraint.max);
  if (!constraint.unlike.empty()) object.add("not", constraint.unlike);
  if (!constraint.pattern.empty()) object.add("pattern", constraint.pattern);
  return object.finish();
}

std::string constraint_array(const std::vector<Constraint>& constraints) {
  std::string out = "[";
  for (const Constraint& one : constraints) out += (out.size() > 1 ? "," : "") + constraint_object(one);
  return out + "]";
}

std::string property_of(const Field& field, Where where) {
  JsonObject property;
  add_type(property, field);
  property.add("description", field.doc);
  if (where == Where::crawl) property.add_raw("default", json_value(field, field.default_value));
  const bool number = field.kind == Kind::integer || field.kind == Kind::real;
  if (!field.row.min.empty())
    number ? property.add_raw("minimum", field.row.min) : property.add("x-minimum", field.row.min);
  if (!field.row.max.empty())
    number ? property.add_raw("maximum", field.row.max) : property.add("x-maximum", field.row.max);
  if (!field.row.constraints.empty()) property.add_raw("x-constraints", constraint_array(field.row.constraints));
  if (!field.row.unit.empty()) property.add("x-unit", field.row.unit);
  if (!field.row.option.empty()) property.add("x-option", field.row.option);
  if (!field.row.heritrix.empty()) property.add("x-heritrix", field.row.heritrix);
  if (field.per_site()) property.add("x-sheet", field.per_host() ? "host" : "url");
  if (field.row.flags & kLive) property.add("x-live", true);
  if (field.row.flags & kExpert) property.add("x-expert", true);
  if (field.secret()) property.add("writeOnly", true);
  return property.finish();
}

std::string object_of(std::string_view doc, JsonObject properties) {
  JsonObject object;
  object.add("type", "object").add("description", doc).add("additionalProperties", false);
  return object.add_raw("properties", properties.finish()).finish();
}

std::string schema_object(const Schema& schema, Where where) {
  JsonObject properties;
  for (const Field& field : schema.fields())
    if (where == Where::crawl || field.per_site()) properties.add_raw(field.name, property_of(field, where));
  return object_of(schema.doc(), properties);
}

bool has_per_site(const Schema& schema) { return std::ranges::any_of(schema.fields(), &Field::per_site); }

std::string sheets_object(const std::vector<const Schema*>& schemas) {
  JsonObject settings;
  for (const Schema* schema : schemas)
    if (has_per_site(*schema)) settings.add_raw(schema->name(), schema_object(*schema, Where::sheet));
  const auto list = [](std::string_view doc) {
    return JsonObject().add("type", "array").add("description", doc).add_raw("items", R"({"type":"string"})").finish();
  };
  JsonObject sheet;
  sheet.add_raw("sites", list("Hosts with their sub-domains, URL prefixes and SURT prefixes; none: all of the web."));
  sheet.add_raw("urls", list("RE2 expressions, one of which must be found in the URL; none: all URLs of the sites."));
  sheet.add_raw("when", JsonObject()
                            .add("type", "string")
                            .add("description", "A condition of rules that asks of the URL alone; none: all URLs.")
                            .finish());
  sheet.add_raw("times", list("Spans of time in which it holds, such as mon..fri 22:00..06:00 Europe/Vienna; none: "
                              "always."));
  sheet.add_raw("settings", object_of("What counts there.", settings));
  JsonObject sheets;
  sheets.add("type", "object").add("description", "Settings for parts of the web, by name; the later sheet counts.");
  return sheets.add_raw("additionalProperties", object_of("A sheet.", sheet)).finish();
}

std::string extends_property() {
  JsonObject property;
  property.add("description", "Profiles that ship, by name, and files, by path, which are laid first.");
  property.add_raw("type", R"(["string","array"])").add_raw("items", R"({"type":"string"})");
  return property.finish();
}

// Text inside a Markdown table cell.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|' || c == '<') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", cell(text)); }

std::string default_cell(const Field& field) {
  const auto* items = std::get_if<std::vector<std::string>>(&field.default_value);
  if (items == nullptr) return code(field.write(field.default_value));
  std::string out;
  for (const std::string& item : *items) out += (out.empty() ? "" : "<br>") + code(item);
  return out;
}

std::string flag_words(const Field& field) {
  std::string words;
  auto add = [&](std::string_view word) { words += (words.empty() ? "" : ", ") + std::string(word); };
  if (field.per_site()) add(field.per_host() ? "per host" : "per site");
  if (field.row.flags & kLive) add("live");
  if (field.row.flags & kExpert) add("expert");
  if (field.secret()) add("secret");
  return words;
}

// "*Info* below 1s: is impolite."
std::string constraint_words(const Field& field) {
  std::string words;
  for (const Constraint& one : field.row.constraints) {
    words += one.severity == Severity::info      ? " *Info*"
             : one.severity == Severity::warning ? " *Not in a crawl*"
                                                 : " *Refused*";
    if (!one.min.empty()) words += fmt::format(" below `{}`", one.min);
    if (!one.max.empty()) words += fmt::format(" above `{}`", one.max);
    if (!one.unlike.empty()) words += fmt::format(" with `{}`", one.unlike);
    if (!one.pattern.empty()) words += fmt::format(" unless it matches `{}`", cell(one.pattern));
    words += fmt::format(": {}.", cell(one.text));
  }
  return words;
}

void append_row(std::string& out, const Field& field) {
  const std::string range = field.range();
  out += fmt::format("| `{}` | {} | {}{} | {} | {} | {}{} |\n", field.name, default_cell(field), to_string(field.kind),
                     range.empty() ? "" : ": " + cell(range), code(field.row.option), flag_words(field),
                     cell(field.doc), constraint_words(field));
}

}  // namespace

std::string json_schema(const std::vector<const Schema*>& schemas) {
  JsonObject properties;
  for (const Schema* schema : schemas) properties.add_raw(schema->name(), schema_object(*schema, Where::crawl));
  properties.add_raw("sheets", sheets_object(schemas));
  properties.add_raw("extends", extends_property());
  JsonObject root;
  root.add("$schema", "https://json-schema.org/draft/2020-12/schema").add("title", "Caddis crawl settings");
  root.add("type", "object").add("additionalProperties", false).add_raw("properties", properties.finish());
  return root.finish();
}

std::string markdown(const std::vector<const Schema*>& schemas) {
  std::string out =
      "# Settings\n\n"
      "Written by `caddis schema --markdown` from the tables in the sources; change it there.\n\n"
      "A settings file (`crawl.yaml`) is a YAML mapping of the sections below. Durations are written `250ms`, `30s`, "
      "`1h30m`,\n"
      "`2d`; sizes `500KB`, `64MiB`, `4GB`. *Live* settings may be changed when a crawl is resumed; others are fixed "
      "once it has\n"
      "begun. What is marked *per site* or *per host* may also stand in a sheet, which counts for a part of the web: "
      "[sheets](sheets.md).\n"
      "*Per site* settings then count for the URLs for which the sheet holds, *per host* settings for the hosts for "
      "which it does.\n\n"
      "A file may begin from others, `extends: [broad, ./house.yaml]`: [profiles](profiles.md).\n\n"
      "Values outside their range are refused. About others something is said: *info* when a crawl starts with such a "
      "value,\n"
      "and when somebody sets it; *not in a crawl* is fine in a file that others extend, and no crawl starts with "
      "it.\n";
  for (const Schema* schema : schemas) {
    out += fmt::format("\n## {}\n\n{}\n\n", schema->name(), schema->doc());
    out += "| name | default | value | option | may change | what it does |\n|---|---|---|---|---|---|\n";
    for (const Field& field : schema->fields()) append_row(out, field);
  }
  return out;
}

}  // namespace caddis::settings
