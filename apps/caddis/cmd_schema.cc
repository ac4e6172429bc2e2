// caddis schema [--markdown]: all settings, as JSON Schema or as the reference page docs/settings.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "caddis/config/settings.h"
#include "caddis/settings/render.h"
#include "commands.h"

namespace caddis::cli {

void add_schema_commands(CLI::App& app, int& exit_code) {
  CLI::App* schema = app.add_subcommand("schema", "Print the settings of crawl.yaml as JSON Schema");
  auto markdown = std::make_shared<bool>(false);
  schema->add_flag("--markdown", *markdown, "As a reference page");
  schema->callback([markdown, &exit_code] {
    if (*markdown)
      fmt::print("{}", settings::markdown(config::settings_schemas()));
    else
      fmt::print("{}\n", nlohmann::ordered_json::parse(settings::json_schema(config::settings_schemas())).dump(2));
    exit_code = 0;
  });
}

}  // namespace caddis::cli
