// caddis scope explain [--config crawl.yaml | --collection FOLDER] --seed URL… --seeds FILE… [scope options] [--hops LLE]
// [URL…]: whether links belong to a crawl, which rule says so, what each of the others says, and which sheets hold.
// Without URLs it reads standard input: a URL a line, or {"url","hops","via","seed"}, and answers in a line each.
//
// caddis scope rules [--config crawl.yaml] [scope options]: the rules themselves.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "batch.h"
#include "caddis/base/json_text.h"
#include "caddis/collection/launch.h"
#include "caddis/config/settings_file.h"
#include "caddis/control/api_types.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/io/files.h"
#include "caddis/modules/registry.h"
#include "caddis/scope/hops.h"
#include "caddis/scope/scope.h"
#include "caddis/why/scope_explainer.h"
#include "commands.h"
#include "setting_options.h"
#include "tell.h"

namespace caddis::cli {
namespace {

constexpr std::string_view kHopLetters =
    "L link, S form, M sitemap, R redirect, E embed, X guess, I inferred, P prerequisite";

struct ScopeArguments {
  std::vector<std::string> seeds, lists, urls;
  std::string profile, config, collection, hops, via, source_seed;
  bool json = false;
  SettingOptions options;
};

struct Link {
  std::string url, hops, via;
  std::optional<bool> seed;
};

// A line that begins with a brace is JSON, any other a URL.
Result<Link> read_link(std::string_view line, const ScopeArguments& arguments) {
  Link link{std::string(line), arguments.hops, arguments.via, {}};
  if (!line.starts_with('{')) return link;
  const auto item = nlohmann::json::parse(line, nullptr, false);
  if (!item.is_object()) return fail(ErrorCode::parse, "the line is no JSON object");
  const auto text = [&](const char* name, std::string& into) {
    if (auto found = item.find(name); found != item.end() && found->is_string()) into = found->get<std::string>();
  };
  link.url.clear();
  text("url", link.url);
  text("hops", link.hops);
  text("via", link.via);
  if (auto found = item.find("seed"); found != item.end() && found->is_boolean()) link.seed = found->get<bool>();
  return link;
}

Result<config::Settings> settings_of(const ScopeArguments& arguments) {
  config::Settings settings;
  TRY_VOID(load_given_modules(arguments.options, settings));
  std::optional<collection::Launch> launch;
  if (!arguments.collection.empty()) {
    TRY(launch, control::latest_crawl_in(io::real_files(), arguments.collection));
    TRY_VOID(crawl::load_settings_files(io::real_files(), *launch, settings));
  }
  if (!arguments.profile.empty() || !arguments.config.empty())
    TRY_VOID(config::load_settings_file(io::real_files(), arguments.profile, arguments.config, settings));
  TRY_VOID(arguments.options.apply({settings::section(settings.scope)}));
  TRY_VOID(config::validate(settings));
  if (launch) TRY_VOID(why::name_copies_of_lists(io::real_files(), *launch, settings));
  settings.crawl.seed_files.insert(settings.crawl.seed_files.end(), arguments.lists.begin(), arguments.lists.end());
  return settings;
}

// The output line, or why there is none.
Result<std::string> explain_line(why::ScopeExplainer& explainer, std::string_view line,
                                 const ScopeArguments& arguments) {
  TRY(const Link link, read_link(line, arguments));
  if (!scope::is_hop_path(link.hops))
    return fail(ErrorCode::parse, fmt::format("hops '{}': a letter a hop is one of {}", link.hops, kHopLetters));
  TRY(const why::ScopeExplainer::Answer answer,
      explainer.explain({link.url, link.hops, link.via, arguments.source_seed, link.seed}));
  const control::api::ScopeReport& report = answer.report;
  const std::string sheets = fmt::format("{}", fmt::join(report.sheets, ", "));
  if (!arguments.json)
    return fmt::format("{}\t{}{}{}{}", report.url, report.explanation, sheets.empty() ? "" : "; sheets: ", sheets,
                       arguments.urls.empty() ? "" : fmt::format("\n{}", fmt::join(answer.table, "\n")));
  JsonObject out;
  out.add("url", report.url)
      .add("accepted", report.accepted)
      .add("rule", report.rule)
      .add("detail", report.detail)
      .add("explanation", report.explanation);
  if (!sheets.empty()) out.add_raw("sheets", nlohmann::json(report.sheets).dump());
  auto rules = nlohmann::json::array();
  for (const control::api::RuleVerdict& one : report.rules)
    rules.push_back({{"rule", one.rule}, {"name", one.name}, {"verdict", one.verdict}, {"reason", one.reason}});
  out.add_raw("rules", rules.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  return out.finish();
}

Result<why::ScopeExplainer> explainer_of(const ScopeArguments& arguments) {
  TRY(const config::Settings settings, settings_of(arguments));
  return why::ScopeExplainer::create(settings, arguments.seeds);
}

// A rule is asked several times about a URL: a module that fails says each time the same.
void tell_errors_of_modules() {
  for (const modules::LoadedModule* module : modules::loaded_modules()) {
    std::set<std::string> told;
    for (const std::string& said : module->errors().take())
      if (told.insert(said).second) tell(fmt::format("caddis scope explain: {}\n", said));
  }
}

int explain_scope(const ScopeArguments& arguments) {
  if (!scope::is_hop_path(arguments.hops)) {
    fmt::print(stderr, "caddis scope explain: --hops '{}': a letter a hop is one of {}\n", arguments.hops, kHopLetters);
    return 2;
  }
  auto explainer = explainer_of(arguments);
  if (!explainer) {
    fmt::print(stderr, "caddis scope explain: {}\n", explainer.error().message);
    return 2;
  }
  if (arguments.urls.empty()) {
    run_batch(arguments.json ? BadItem::json : BadItem::dash, [&](std::string_view line) {
      auto answer = explain_line(*explainer, line, arguments);
      tell_errors_of_modules();
      return answer;
    });
    return 0;
  }
  int failures = 0;
  for (const std::string& url : arguments.urls) {
    auto answer = explain_line(*explainer, url, arguments);
    tell_errors_of_modules();
    if (answer)
      fmt::print("{}\n", *answer);
    else
      fmt::print(stderr, "caddis scope explain: {}: {}\n", url, answer.error().message), ++failures;
  }
  return failures == 0 ? 0 : 1;
}

int print_rules(const ScopeArguments& arguments) {
  const auto settings = settings_of(arguments);
  const auto rules = settings ? scope::SiteRules::create(settings->scope) : std::unexpected(settings.error());
  if (!rules) {
    fmt::print(stderr, "caddis scope rules: {}\n", rules.error().message);
    return 2;
  }
  for (const auto& rule : rules->list->rules())
    for (const std::string& line : rule->lines()) fmt::print("{}\n", line);
  return 0;
}

}  // namespace

void add_scope_commands(CLI::App& app, int& exit_code) {
  CLI::App* scope = app.add_subcommand("scope", "What belongs to a crawl")->require_subcommand(1);
  CLI::App* explain =
      scope->add_subcommand("explain", "Say for each URL whether it belongs to the crawl, and which rule decides");
  auto arguments = std::make_shared<ScopeArguments>();
  explain->add_option("--profile", arguments->profile, "A profile that ships, before the file");
  auto* const config =
      explain->add_option("--config", arguments->config, "A crawl.yaml: its seeds, its scope and its sheets");
  explain
      ->add_option("--collection", arguments->collection,
                   "The latest crawl of this collection instead: its settings, its seeds and its lists of seeds")
      ->option_text("FOLDER")
      ->excludes(config);
  explain->add_option("--seed", arguments->seeds, "A seed of the crawl; may be given several times")
      ->allow_extra_args(false)
      ->option_text("URL");
  explain->add_option("--seeds", arguments->lists, "A list of seeds, with its lines of + and -; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE");
  explain->add_option("--hops", arguments->hops,
                      fmt::format("How the URL was reached, a letter a hop (LLE): {}", kHopLetters));
  explain->add_option("--source-seed", arguments->source_seed, "The seed from which the links led to it");
  explain->add_option("--via", arguments->via, "The page it was found on");
  explain->add_flag("--json", arguments->json, "A JSON object a line");
  explain->add_option("url", arguments->urls, "URLs; without any, lines of standard input");
  arguments->options.add(*explain, settings::schema_of<scope::ScopeSettings>());
  arguments->options.add(*explain, settings::schema_of<modules::ModulesSettings>());
  explain->callback([arguments, &exit_code] { exit_code = explain_scope(*arguments); });

  CLI::App* rules =
      scope->add_subcommand("rules", "Print the rules of a crawl's scope, the last of which outranks the others");
  auto of_rules = std::make_shared<ScopeArguments>();
  rules->add_option("--profile", of_rules->profile, "A profile that ships, before the file");
  rules->add_option("--config", of_rules->config, "A crawl.yaml");
  of_rules->options.add(*rules, settings::schema_of<scope::ScopeSettings>());
  of_rules->options.add(*rules, settings::schema_of<modules::ModulesSettings>());
  rules->callback([of_rules, &exit_code] { exit_code = print_rules(*of_rules); });
}

}  // namespace caddis::cli
