// Templates: the settings that jobs begin from. One is a file of settings of Caddis, or a configuration of Heritrix
// (crawler-beans.cxml, order.xml), which is imported when it is uploaded. Jobs add seeds, limits, traps, deduplication and
// names of files, so none of these may be fixed by a template.
//
// Functions of a transaction, and pure ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

// Stands in a template for the folder of its files, which a harvester puts in place of it.
inline constexpr std::string_view kTemplateFolder = "/folder-of-the-template";

struct TemplateFile {
  std::string name, text;
};

struct Template {
  int64_t id = 0;
  std::string name;
  std::string kind;                  // "yaml", "cxml"
  std::string source;                // as it was uploaded
  std::string yaml;                  // the settings: the source, or what an import made of it
  std::vector<TemplateFile> files;   // that the settings name
  std::vector<std::string> remarks;  // of the import, and on the settings
  bool is_active = true;
  std::string comments;
  int64_t edition = 0;
};

// Fills in all that follows from the source. ErrorCode::config, ErrorCode::parse if no job can be made from it.
Result<void> read_template(Template& from);
// Settings of one configuration: a few lines of YAML. Empty ones are none.
Result<void> check_overrides(std::string_view yaml);
// For whoever may not see secrets: the settings, or kHiddenSettings if they hold any.
std::string shown_settings(const std::string& yaml);
inline constexpr std::string_view kHiddenSettings = "# Hidden: these settings hold secrets. They stay as they are.";
// The operator whom the template names (archive.operator); empty: none.
Result<std::string> operator_of(std::string_view template_yaml, std::string_view overrides);
// The expressions that the template, with overrides, excludes: a job's own are added to them.
Result<std::vector<std::string>> excluded_by(std::string_view template_yaml, std::string_view overrides);
// Further fields of warcinfo records that they have (archive.info-fields).
Result<std::vector<std::string>> info_fields_of(std::string_view template_yaml, std::string_view overrides);
// Returns the rules of its scope; "shorthand" if it has none.
Result<std::vector<std::string>> scope_rules_of(std::string_view template_yaml, std::string_view overrides);

Result<Template> find_template(sql::Connection& connection, std::string_view name);
Result<std::vector<Template>> list_templates(sql::Connection& connection);
// A new one has edition 0. Reads it first.
Result<void> save_template(sql::Connection& connection, Template saved, const Edit& edit);

}  // namespace caddis::harvest
