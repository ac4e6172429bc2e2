// caddis schema [--markdown|--rules]: all settings, as JSON Schema or as the reference page docs/settings.md; or the
// conditions of rules as docs/rules.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "caddis/config/settings.h"
#include "caddis/scope/rule_docs.h"
#include "caddis/settings/render.h"
#include "commands.h"

namespace caddis::cli {

void add_schema_commands(CLI::App& app, int& exit_code) {
  CLI::App* schema = app.add_subcommand("schema", "Print the settings of crawl.yaml as JSON Schema");
  auto markdown = std::make_shared<bool>(false);
  schema->add_flag("--markdown", *markdown, "As a reference page");
  auto rules = std::make_shared<bool>(false);
  schema->add_flag("--rules", *rules, "The conditions that rules may name, as a reference page");
  schema->callback([markdown, rules, &exit_code] {
    if (*rules)
      fmt::print("{}", scope::rules_markdown());
    else if (*markdown)
      fmt::print("{}", settings::markdown(config::settings_schemas()));
    else
      fmt::print("{}\n", nlohmann::ordered_json::parse(settings::json_schema(config::settings_schemas())).dump(2));
    exit_code = 0;
  });
}

}  // namespace caddis::cli
