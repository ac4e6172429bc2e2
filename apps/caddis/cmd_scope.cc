// caddis scope explain [--config crawl.yaml] --seed URL… [scope options] [--hops LLE] [URL…]: whether links belong to a
// crawl, which rule says so, what each of the others says, and which sheets hold. Without URLs it reads standard input:
// a URL a line, or {"url","hops","via","seed"}, and answers in a line each.
//
// caddis scope rules [--config crawl.yaml] [scope options]: the rules themselves.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "batch.h"
#include "caddis/base/clock.h"
#include "caddis/base/fingerprint_set.h"
#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/config/scope_of_crawl.h"
#include "caddis/config/seeds.h"
#include "caddis/config/settings_cache.h"
#include "caddis/config/settings_file.h"
#include "caddis/io/files.h"
#include "caddis/io/stream.h"
#include "caddis/modules/registry.h"
#include "caddis/scope/hops.h"
#include "caddis/scope/scope.h"
#include "caddis/scope/verdict_word.h"
#include "commands.h"
#include "setting_options.h"

namespace caddis::cli {
namespace {

constexpr std::string_view kHopLetters =
    "L link, S form, M sitemap, R redirect, E embed, X guess, I inferred, P prerequisite";

struct ScopeArguments {
  std::vector<std::string> seeds, urls;
  std::string profile, config, hops, via, source_seed;
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
  if (!arguments.profile.empty() || !arguments.config.empty())
    TRY_VOID(config::load_settings_file(io::real_files(), arguments.profile, arguments.config, settings));
  TRY_VOID(arguments.options.apply({settings::section(settings.scope)}));
  TRY_VOID(config::validate(settings));
  return settings;
}

// Calls `take` with each seed of a list, however long it is.
template <class Take>
Result<void> each_of_list(const std::string& path, const Take& take) {
  TRY(const auto stream, io::InputStream::open(path));
  std::string text;
  for (bool at_end = false; !at_end;) {
    TRY(const std::string bytes, stream->read());
    if (text.empty() && bytes.starts_with("\x1f\x8b"))
      return fail(ErrorCode::unsupported, path + " is gzip: unpack it first, and name what comes out in seed-files");
    at_end = bytes.empty();
    text += bytes;
    const size_t whole = at_end ? text.size() : text.rfind('\n') + 1;
    for (const std::string_view line : split(std::string_view(text).substr(0, whole), '\n'))
      if (const auto seed = config::parse_seed(config::seed_on_line(line))) take(*seed);
    text.erase(0, whole);
  }
  return {};
}

class Explainer {
 public:
  static Result<Explainer> create(const ScopeArguments& arguments) {
    TRY(const config::Settings settings, settings_of(arguments));
    std::vector<url::Url> seeds;
    for (const std::string& text : settings.crawl.seeds)
      if (auto seed = url::Url::parse(text)) seeds.push_back(std::move(*seed));
    for (const std::string& text : arguments.seeds) {
      auto seed = url::Url::parse(text);
      if (!seed) return pass(std::move(seed.error()), "--seed " + text);
      seeds.push_back(std::move(*seed));
    }
    TRY(auto scope, config::make_scope(settings, seeds));
    TRY(auto book, config::SettingsResolver::create(settings, scope->rules(), system_clock().wall()));
    auto known = std::make_unique<FingerprintSet>();
    for (const url::Url& seed : seeds) known->insert(seed.without_fragment());
    for (const std::string& path : settings.crawl.seed_files)
      TRY_VOID(each_of_list(path, [&](const url::Url& seed) {
        scope->add_seed(seed);
        known->insert(seed.without_fragment());
      }));
    return Explainer(std::move(scope), std::move(book), std::move(known), arguments);
  }

  // The output line, or why there is none.
  Result<std::string> explain(std::string_view line) {
    TRY(Link link, read_link(line, *arguments_));
    TRY(const url::Url url, url::Url::parse(link.url));
    if (!scope::is_hop_path(link.hops))
      return fail(ErrorCode::parse, fmt::format("hops '{}': a letter a hop is one of {}", link.hops, kHopLetters));
    const bool is_seed = link.seed.value_or(link.hops.empty() && is_seed_url(url));
    if (link.hops.empty() && !is_seed) link.hops = "L";
    const config::EffectiveSettings& site = sites_.of(url);
    const scope::Candidate candidate{.url = url,
                                     .hop_path = link.hops,
                                     .via = link.via,
                                     .is_seed = is_seed,
                                     .rules = site.scope.get(),
                                     .source_seed = arguments_->source_seed,
                                     .at = system_clock().wall()};
    const scope::Decision decision = scope_->decide(candidate);
    const std::string sentence = scope_->explain(candidate);
    const std::string sheets = fmt::format("{}", fmt::join(site.sheets, ", "));
    if (!arguments_->json)
      return fmt::format("{}\t{}{}{}{}", url.href(), sentence, sheets.empty() ? "" : "; sheets: ", sheets,
                         arguments_->urls.empty() ? "" : "\n" + table(candidate));
    JsonObject out;
    out.add("url", url.href())
        .add("accepted", decision.accepted)
        .add("rule", decision.rule)
        .add("detail", decision.detail)
        .add("explanation", sentence);
    if (!sheets.empty()) out.add_raw("sheets", nlohmann::json(site.sheets).dump());
    auto rules = nlohmann::json::array();
    for (const scope::Scope::Answered& one : scope_->explain_rules(candidate))
      rules.push_back({{"rule", fmt::format("{}", fmt::join(one.rule->lines(), "; "))},
                       {"name", one.rule->name()},
                       {"verdict", scope::word_of(one.ruling.verdict)},
                       {"reason", one.reason}});
    out.add_raw("rules", rules.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return out.finish();
  }

 private:
  Explainer(std::unique_ptr<scope::Scope> scope, std::shared_ptr<const config::SettingsResolver> book,
            std::unique_ptr<FingerprintSet> seeds, const ScopeArguments& arguments)
      : scope_(std::move(scope)), sites_(std::move(book)), seeds_(std::move(seeds)), arguments_(&arguments) {}

  // A rule a line, in their order: what it says, the rule, and why.
  std::string table(const scope::Candidate& candidate) const {
    std::string lines;
    size_t number = 0;
    for (const scope::Scope::Answered& one : scope_->explain_rules(candidate)) {
      const std::vector<std::string>& written = one.rule->lines();
      const std::string rule =
          written.size() > 1 ? fmt::format("{} and {} more", written.front(), written.size() - 1) : written.front();
      lines += fmt::format("{:>4}  {:<6}  {}{}{}\n", ++number, scope::word_of(one.ruling.verdict), rule,
                           one.reason.empty() ? "" : "   ", one.reason.empty() ? "" : "(" + one.reason + ")");
    }
    if (!lines.empty()) lines.pop_back();
    return lines;
  }

  bool is_seed_url(const url::Url& url) const { return seeds_->contains(url.without_fragment()); }

  std::unique_ptr<scope::Scope> scope_;
  config::SettingsCache sites_;
  std::unique_ptr<FingerprintSet> seeds_;  // their URLs
  const ScopeArguments* arguments_;
};

int explain_scope(const ScopeArguments& arguments) {
  if (!scope::is_hop_path(arguments.hops)) {
    fmt::print(stderr, "caddis scope explain: --hops '{}': a letter a hop is one of {}\n", arguments.hops, kHopLetters);
    return 2;
  }
  auto explainer = Explainer::create(arguments);
  if (!explainer) {
    fmt::print(stderr, "caddis scope explain: {}\n", explainer.error().message);
    return 2;
  }
  if (arguments.urls.empty()) {
    run_batch(arguments.json ? BadItem::json : BadItem::dash,
              [&](std::string_view line) { return explainer->explain(line); });
    return 0;
  }
  int failures = 0;
  for (const std::string& url : arguments.urls) {
    auto answer = explainer->explain(url);
    for (const modules::LoadedModule* module : modules::loaded_modules())
      for (const std::string& said : module->errors().take()) fmt::print(stderr, "caddis scope explain: {}\n", said);
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
  explain->add_option("--config", arguments->config, "A crawl.yaml: its seeds, its scope and its sheets");
  explain->add_option("--seed", arguments->seeds, "A seed of the crawl; may be given several times")
      ->allow_extra_args(false)
      ->option_text("URL");
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
