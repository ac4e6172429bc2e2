#include "setting_options.h"

#include <CLI/CLI.hpp>

namespace caddis::cli {
namespace {

std::string type_of(const settings::Field& field) {
  const std::string range = field.range();
  if (!range.empty()) return range;
  return field.kind == settings::Kind::list ? "text" : std::string(to_string(field.kind));
}

}  // namespace

void SettingOptions::add(CLI::App& command, const settings::Schema& schema) {
  for (const settings::Field& field : schema.fields()) {
    if (field.row.option.empty()) continue;
    Given& given = *given_.emplace_back(std::make_unique<Given>(Given{&schema, &field, {}}));
    const bool is_truth = field.kind == settings::Kind::boolean;
    CLI::Option* option = command.add_option(std::string(field.row.option), given.values, std::string(field.doc));
    option->type_size(1)->expected(is_truth ? 0 : 1, 1)->allow_extra_args(false);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->type_name(is_truth ? "" : type_of(field));
  }
}

Result<void> SettingOptions::apply(const settings::Sections& into) const {
  for (const auto& given : given_) {
    if (given->values.empty()) continue;
    for (const settings::Section& section : into) {
      if (section.schema == given->schema) {
        std::vector<std::string> values = given->values;
        // A truth is told by naming it.
        if (given->field->kind == settings::Kind::boolean && values == std::vector<std::string>{""}) values = {"true"};
        TRY_VOID(settings::apply(section, given->field->name, values, given->field->row.option));
      }
    }
  }
  return {};
}

}  // namespace caddis::cli
