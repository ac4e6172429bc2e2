// caddis schema: all settings, as JSON Schema; or, by an option, a reference page: --markdown docs/settings.md, --rules
// docs/rules.md, --steps docs/steps.md, --lua docs/lua.md, --extractors docs/extractors.md, --metrics docs/metrics.md;
// --walls the signs of walls that are shipped.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "caddis/base/output.h"
#include "caddis/cdxserver/index_metrics.h"
#include "caddis/config/settings.h"
#include "caddis/config/steps.h"
#include "caddis/control/crawl_metrics.h"
#include "caddis/engine/engine_metrics.h"
#include "caddis/extract/extractor.h"
#include "caddis/harvestserver/harvest_metrics.h"
#include "caddis/modules/lua_docs.h"
#include "caddis/scope/rule_docs.h"
#include "caddis/settings/render.h"
#include "caddis/walls/wall_sign.h"
#include "commands.h"

namespace caddis::cli {

void add_schema_commands(CLI::App& app, int& exit_code) {
  CLI::App* schema = app.add_subcommand("schema", "Print the settings of crawl.yaml as JSON Schema");
  auto markdown = std::make_shared<bool>(false);
  schema->add_flag("--markdown", *markdown, "As a reference page");
  auto rules = std::make_shared<bool>(false);
  schema->add_flag("--rules", *rules, "The conditions that rules may name, as a reference page");
  auto steps = std::make_shared<bool>(false);
  schema->add_flag("--steps", *steps, "The steps of a visit, as a reference page");
  auto lua = std::make_shared<bool>(false);
  schema->add_flag("--lua", *lua, "The functions and objects of scripts, as a reference page");
  auto extractors = std::make_shared<bool>(false);
  schema->add_flag("--extractors", *extractors, "What looks for links, as a reference page");
  auto metrics = std::make_shared<bool>(false);
  schema->add_flag("--metrics", *metrics,
                   "What crawls, engines, index servers and harvest servers tell Prometheus, as a reference page");
  auto walls = std::make_shared<bool>(false);
  schema->add_flag("--walls", *walls, "The signs by which checks for bots and requests for consent are known");
  auto with = std::make_shared<std::vector<std::string>>();
  schema->add_option("--module", *with, "With the settings of this module (.so or .lua); repeatable")
      ->allow_extra_args(false);
  schema->callback([markdown, rules, steps, lua, extractors, metrics, walls, with, &exit_code] {
    config::Settings settings;
    settings.modules.load = *with;
    exit_code = 2;
    if (auto loaded = config::load_modules(settings); !loaded)
      return say(fmt::format("caddis schema: {}\n", loaded.error().message));
    if (*lua)
      fmt::print("{}", modules::lua_markdown());
    else if (*extractors)
      fmt::print("{}", extract::extractors_markdown());
    else if (*metrics)
      fmt::print("{}{}{}{}", control::metrics_markdown(), engine::engine_metrics_markdown(),
                 cdxserver::index_metrics_markdown(), harvestserver::harvest_metrics_markdown());
    else if (*walls)
      for (const std::string_view sign : walls::known_walls()) fmt::print("{}\n", sign);
    else if (*rules)
      fmt::print("{}", scope::rules_markdown());
    else if (*steps)
      fmt::print("{}", config::steps_markdown());
    else if (*markdown)
      fmt::print("{}", settings::markdown(config::settings_schemas(settings)));
    else
      fmt::print("{}\n",
                 nlohmann::ordered_json::parse(settings::json_schema(config::settings_schemas(settings))).dump(2));
    exit_code = 0;
  });
}

}  // namespace caddis::cli
