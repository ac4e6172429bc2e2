#include "setting_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/config/settings.h"

namespace caddis::cli {
namespace {

std::string type_of(const settings::Field& field) {
  const std::string range = field.range();
  if (!range.empty()) return range;
  return field.kind == settings::Kind::list ? "text" : std::string(to_string(field.kind));
}

// The text of help, with the default at its end unless that is empty, a secret, or a truth.
std::string description_of(const settings::Field& field) {
  const bool is_unset = std::holds_alternative<std::monostate>(field.default_value);
  if (is_unset || field.secret() || field.kind == settings::Kind::boolean) return std::string(field.doc);
  const std::string value = field.write_shown(field.default_value);
  return value.empty() ? std::string(field.doc) : fmt::format("{} [{}]", field.doc, value);
}

// "scope.max-hops=3"
struct Assignment {
  std::string section, name;
  std::vector<std::string> values;
};

Result<Assignment> read_assignment(std::string_view text) {
  const size_t equals = text.find('=');
  const std::string_view setting = text.substr(0, equals);
  const size_t dot = setting.find('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos)
    return fail(
        ErrorCode::config,
        fmt::format("--set {}: write SECTION.NAME=VALUE, such as scope.max-hops=3 (caddis schema lists them)", text));
  return Assignment{std::string(setting.substr(0, dot)),
                    std::string(setting.substr(dot + 1)),
                    {std::string(text.substr(equals + 1))}};
}

}  // namespace

void SettingOptions::add(CLI::App& command, const settings::Schema& schema) {
  for (const settings::Field& field : schema.fields()) {
    if (field.row.option.empty()) continue;
    Given& given = *given_.emplace_back(std::make_unique<Given>(Given{&schema, &field, {}}));
    const bool is_truth = field.kind == settings::Kind::boolean;
    CLI::Option* option = command.add_option(std::string(field.row.option), given.values, description_of(field));
    option->type_size(1)->expected(is_truth ? 0 : 1, 1)->allow_extra_args(false);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->type_name(is_truth ? "" : type_of(field));
  }
}

void SettingOptions::add_set(CLI::App& command) {
  command
      .add_option("--set", set_,
                  "Any setting of crawl.yaml, such as scope.max-url-length=2000; repeatable. caddis schema lists them")
      ->allow_extra_args(false)
      ->option_text("SECTION.NAME=VALUE");
}

bool SettingOptions::empty() const {
  return set_.empty() && std::ranges::all_of(given_, [](const auto& given) { return given->values.empty(); });
}

Result<void> SettingOptions::apply_options(const settings::Section& section) const {
  for (const auto& given : given_) {
    if (given->values.empty() || section.schema != given->schema) continue;
    std::vector<std::string> values = given->values;
    // A truth is told by naming it.
    if (given->field->kind == settings::Kind::boolean && values == std::vector<std::string>{""}) values = {"true"};
    TRY_VOID(settings::apply(section, given->field->name, values, given->field->row.option));
  }
  return {};
}

Result<void> SettingOptions::apply(const settings::Sections& into) const {
  for (const settings::Section& section : into) TRY_VOID(apply_options(section));
  return apply_set(into);
}

Result<void> load_given_modules(const SettingOptions& options, config::Settings& settings) {
  const std::vector<std::string> files = settings.modules.load;
  TRY_VOID(options.apply_options(settings::section(settings.modules)));
  settings.modules.load = config::join_modules(files, settings.modules.load);
  return config::load_modules(settings);
}

Result<void> SettingOptions::apply_set(const settings::Sections& into) const {
  std::vector<Assignment> assignments;
  for (const std::string& text : set_) {
    TRY(Assignment one, read_assignment(text));
    const auto before = std::ranges::find_if(
        assignments, [&](const Assignment& other) { return other.section == one.section && other.name == one.name; });
    if (before == assignments.end())
      assignments.push_back(std::move(one));
    else
      before->values.push_back(std::move(one.values.front()));
  }
  for (const Assignment& one : assignments) {
    const auto section =
        std::ranges::find_if(into, [&](const settings::Section& other) { return other.schema->name() == one.section; });
    if (section != into.end() && section->schema->find(one.name) != nullptr)
      TRY_VOID(settings::apply(*section, one.name, one.values, "--set"));
    else
      TRY_VOID(settings::apply(into, one.section, one.name, one.values.front(), "--set"));  // says what is wrong
  }
  return {};
}

}  // namespace caddis::cli
