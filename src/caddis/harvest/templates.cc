#include "caddis/harvest/templates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/config/remarks.h"
#include "caddis/config/settings.h"
#include "caddis/config/settings_file.h"
#include "caddis/heritrix/importer.h"
#include "caddis/io/memory_files.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;
using Json = nlohmann::json;

constexpr size_t kMostTemplate = 8 << 20;
constexpr size_t kMostOverrides = 64 << 10;
constexpr size_t kMostRemarks = 200;

// The settings of files that lie in one folder, the last of which extends the others.
Result<config::Settings> load(std::string_view template_yaml, std::string_view overrides) {
  io::MemoryFiles files;
  TRY_VOID(files.make_dirs("/t"));
  TRY_VOID(files.write_atomically("/t/template.yaml", template_yaml));
  TRY_VOID(files.write_atomically("/t/overrides.yaml", overrides));
  TRY_VOID(files.write_atomically("/t/job.yaml", trim(overrides).empty()
                                                     ? "extends: ./template.yaml\n"
                                                     : "extends: [./template.yaml, ./overrides.yaml]\n"));
  config::Settings settings;
  TRY_VOID(config::load_settings_file(files, "/t/job.yaml", settings));
  return settings;
}

std::string without_path(std::string message) {
  for (size_t at = message.find("/t/"); at != std::string::npos; at = message.find("/t/")) message.erase(at, 3);
  return message;
}

Result<void> import(Template& from) {
  const heritrix::ImportSource source{
      .name = from.name,
      .text = from.source,
      .read = [](const std::string& name) -> Result<std::string> {
        return fail(ErrorCode::not_found, fmt::format("'{}' is not in the template, which is one file", name));
      },
      .list = [](const std::string&) -> std::vector<std::string> { return {}; }};
  TRY(heritrix::Imported imported, heritrix::import_configuration(source, std::string(kTemplateFolder)));
  if (imported.report.items().empty())
    return fail(ErrorCode::config, "the template has no beans: upload the whole file with which Heritrix crawls");
  if (!imported.open_question.empty()) return fail(ErrorCode::config, imported.open_question);
  from.yaml = imported.files.front().text;
  for (size_t i = 1; i < imported.files.size(); ++i)
    from.files.push_back({std::move(imported.files[i].name), std::move(imported.files[i].text)});
  // Seeds are the jobs'.
  const auto is_of_seeds = [](std::string_view path) {
    return path.contains("seeds.textSource") || path.ends_with("scope/seedsfile");
  };
  for (const heritrix::ImportItem& item : imported.report.items())
    if (!is_of_seeds(item.path) && item.fate == heritrix::Fate::without && item.whole == heritrix::kNoItem &&
        from.remarks.size() < kMostRemarks)
      from.remarks.push_back(fmt::format("without equivalent: {} (line {}): {}", item.path, item.line, item.said));
  return {};
}

// Refuses what a job decides alone.
Result<void> require_open(const config::Settings& settings) {
  if (!settings.crawl.seeds.empty() || !settings.crawl.seed_files.empty())
    return fail(ErrorCode::config, "a template has no seeds: jobs bring them (crawl.seeds, crawl.seed-files)");
  if (!settings.dedup.against.empty())
    return fail(ErrorCode::config,
                "a template has no dedup.against: jobs know which earlier ones they are compared with");
  return {};
}

std::string json_of(const std::vector<TemplateFile>& files) {
  Json json = Json::array();
  for (const TemplateFile& file : files) json.push_back({{"name", file.name}, {"text", file.text}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Template template_of(const Row& row) {
  Template one;
  one.id = row.number(0);
  one.name = row.text(1);
  one.kind = row.text(2);
  one.source = row.text(3);
  one.yaml = row.text(4);
  const Json files = Json::parse(row.text(5), nullptr, false);
  if (files.is_array())
    for (const Json& file : files) one.files.push_back({file.value("name", ""), file.value("text", "")});
  const std::string remarks = row.text(6);
  for (const std::string_view line : split(remarks, '\n'))
    if (!line.empty()) one.remarks.emplace_back(line);
  one.is_active = row.flag(7);
  one.comments = row.text(8);
  one.edition = row.number(9);
  return one;
}

constexpr std::string_view kColumns =
    "id, name, kind, source, yaml, files, remarks, is_active, comments, edition FROM templates";

}  // namespace

Result<void> read_template(Template& from) {
  TRY_VOID(check_name(from.name, "template"));
  if (from.source.size() > kMostTemplate) return fail(ErrorCode::limit, "a template has 8 MiB at most");
  from.files.clear();
  from.remarks.clear();
  from.kind = trim(from.source).starts_with('<') ? "cxml" : "yaml";
  if (from.kind == "cxml")
    TRY_VOID(import(from));
  else
    from.yaml = from.source;
  auto settings = load(from.yaml, "");
  if (!settings) return fail(ErrorCode::config, without_path(settings.error().message));
  if (from.kind == "yaml") TRY_VOID(require_open(*settings));
  TRY_VOID(config::validate(*settings));
  for (const config::Remark& remark : config::remarks_on(*settings))
    if (remark.setting != "crawl.contact") from.remarks.push_back(remark.text);
  return {};
}

Result<void> check_overrides(std::string_view yaml) {
  if (trim(yaml).empty()) return {};
  if (yaml.size() > kMostOverrides) return fail(ErrorCode::limit, "settings of a configuration have 64 KiB at most");
  auto settings = load("", yaml);
  if (!settings) return fail(ErrorCode::config, without_path(settings.error().message));
  return require_open(*settings);
}

std::string shown_settings(const std::string& yaml) {
  if (trim(yaml).empty()) return yaml;
  const auto settings = load("", yaml);
  if (!settings) return std::string(kHiddenSettings);
  for (const settings::ConstSection& section : config::sections_of(*settings))
    for (const settings::Field& field : section.schema->fields())
      if ((field.secret() || field.row.shown != nullptr) && field.get(section.object) != field.default_value)
        return std::string(kHiddenSettings);
  for (const settings::Sheet& sheet : settings->sheets)
    for (const settings::Overlay::Entry& entry : sheet.values.entries())
      if (entry.field->secret() || entry.field->row.shown != nullptr) return std::string(kHiddenSettings);
  return yaml;
}

Result<std::vector<std::string>> info_fields_of(std::string_view template_yaml, std::string_view overrides) {
  TRY(config::Settings settings, load(template_yaml, overrides));
  return std::move(settings.archive.info_fields);
}

Result<std::string> operator_of(std::string_view template_yaml, std::string_view overrides) {
  TRY(config::Settings settings, load(template_yaml, overrides));
  return std::move(settings.archive.operator_name);
}

Result<std::vector<std::string>> excluded_by(std::string_view template_yaml, std::string_view overrides) {
  TRY(config::Settings settings, load(template_yaml, overrides));
  return std::move(settings.scope.exclude);
}

Result<std::vector<std::string>> scope_rules_of(std::string_view template_yaml, std::string_view overrides) {
  TRY(config::Settings settings, load(template_yaml, overrides));
  if (settings.scope.rules.empty()) return std::vector<std::string>{"shorthand"};
  return std::move(settings.scope.rules);
}

Result<Template> find_template(Connection& c, std::string_view name) {
  TRY(const auto row, c.row(fmt::format("SELECT {} WHERE name = ?", kColumns), Values(name)));
  if (!row) return fail(ErrorCode::not_found, fmt::format("there is no template '{}'", name));
  return template_of(*row);
}

Result<std::vector<Template>> list_templates(Connection& c) {
  std::vector<Template> all;
  TRY_VOID(c.each(fmt::format("SELECT {} ORDER BY name", kColumns), Values(),
                  [&](const Row& row) { all.push_back(template_of(row)); }));
  return all;
}

Result<void> save_template(Connection& c, Template saved, const Edit& edit) {
  TRY_VOID(read_template(saved));
  std::string remarks;
  for (const std::string& remark : saved.remarks) remarks += remark + "\n";
  if (saved.edition == 0) {
    auto added = c.run(
        "INSERT INTO templates (name, kind, source, yaml, files, remarks, is_active, comments, edition) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)",
        Values(saved.name, saved.kind, saved.source, saved.yaml, json_of(saved.files), remarks, saved.is_active,
               saved.comments));
    if (!added && added.error().code == ErrorCode::conflict)
      return fail(ErrorCode::conflict, fmt::format("there is a template '{}' already", saved.name));
    if (!added) return std::unexpected(std::move(added).error());
    return record_change(c, edit, "template", saved.name, "created");
  }
  TRY(const Template before, find_template(c, saved.name));
  FieldChanges changes;
  changes.add_secret("settings", before.source, saved.source);
  changes.add("may be used", before.is_active, saved.is_active);
  changes.add("comments", before.comments, saved.comments);
  TRY(const uint64_t changed,
      c.run("UPDATE templates SET kind = ?, source = ?, yaml = ?, files = ?, remarks = ?, is_active = ?, comments = ?, "
            "edition = edition + 1 WHERE name = ? AND edition = ?",
            Values(saved.kind, saved.source, saved.yaml, json_of(saved.files), remarks, saved.is_active, saved.comments,
                   saved.name, saved.edition)));
  TRY_VOID(require_changed(changed, "template", saved.name));
  return record_change(c, edit, "template", saved.name, "changed", changes);
}

}  // namespace caddis::harvest
