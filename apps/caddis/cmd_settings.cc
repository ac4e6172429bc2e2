// caddis settings get|explain|set: the settings of a crawl, the values that hold for a URL or a host and where they come
// from; new values for one that runs, everywhere or for some sites.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "asked_crawl.h"
#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/control/crawl_reports.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

struct SettingsArguments {
  std::string collection = ".", name, url, host, sheet;
  std::vector<std::string> given, sites;
  bool json = false;
};

int fail_with(std::string_view command, const Error& error) {
  tell(fmt::format("caddis settings {}: {}\n", command, error.message));
  return 1;
}

// A crawl that runs tells itself; of another one the files of its launch do.
Result<api::Settings> read_settings(const SettingsArguments& arguments) {
  TRY(auto crawl, AskedCrawl::open(arguments.collection));
  const std::string& about = arguments.url.empty() ? arguments.host : arguments.url;
  auto answer = crawl.ask_settings(query_of({{"name", arguments.name}, {"url", about}}));
  if (answer) return api::from_json<api::Settings>(*answer);
  if (answer.error().code != ErrorCode::not_found) return std::unexpected(std::move(answer).error());
  config::Settings settings;
  TRY_VOID(crawl::load_settings_files(io::real_files(), crawl.launch(), settings));
  return control::settings_report(settings, arguments.name, about, system_clock().wall());
}

// Items of lists on lines of their own.
std::string shown(const std::string& value, size_t indent) {
  if (value.empty()) return "(nothing)";
  if (!value.contains('\n')) return value;
  std::string lines;
  for (const std::string_view item : split(value, '\n')) lines += fmt::format("\n{:{}}- {}", "", indent, item);
  return lines;
}

void print_value(const api::Setting& setting) { fmt::print("{} = {}\n", setting.name, shown(setting.value, 2)); }

std::string origin_words(const api::SettingOrigin& origin) {
  if (origin.is_sheet) return "sheet '" + origin.from + "'";
  return origin.from == "crawl" ? "the crawl" : "by default";
}

std::string change_words(const api::Setting& setting) {
  const std::string_view where = setting.per_host   ? ", for the crawl or for hosts"
                                 : setting.per_site ? ", for the crawl or for sites"
                                                    : "";
  return fmt::format("{}{}", setting.live ? "may change while the crawl runs" : "may not change while the crawl runs",
                     setting.live ? where : "");
}

void explain(const api::Setting& setting) {
  print_value(setting);
  fmt::print("  {}\n", setting.doc);
  for (auto origin = setting.origins.rbegin(); origin != setting.origins.rend(); ++origin)
    fmt::print("  {:<7} {:<20} {}{}\n", origin == setting.origins.rbegin() ? "counts" : "without",
               origin_words(*origin), shown(origin->value, 12),
               origin->until.empty() ? "" : "   until " + origin->until);
  for (const api::SettingOrigin& origin : setting.not_now)
    fmt::print("  {:<7} {:<20} {}{}\n", "not now", origin_words(origin), shown(origin.value, 12),
               origin.until.empty() ? "   never again" : "   from " + origin.until);
  fmt::print("  {}\n", change_words(setting));
}

int show(std::string_view command, const SettingsArguments& arguments, void (*print)(const api::Setting&)) {
  const auto report = read_settings(arguments);
  if (!report) return fail_with(command, report.error());
  if (arguments.json) {
    fmt::print("{}\n", api::to_json(*report));
    return 0;
  }
  for (const api::Setting& setting : report->settings) print(setting);
  return 0;
}

int set(const SettingsArguments& arguments) {
  auto crawl = AskedCrawl::open(arguments.collection);
  if (!crawl) return fail_with("set", crawl.error());
  const auto answer =
      crawl->post("/settings",
                  query_of({{"sheet", arguments.sheet}, {"sites", fmt::format("{}", fmt::join(arguments.sites, " "))}}),
                  fmt::format("{}\n", fmt::join(arguments.given, "\n")));
  if (!answer && answer.error().code == ErrorCode::not_found)
    return fail_with("set", Error{ErrorCode::not_found,
                                  "no crawl runs there: caddis crawl --resume --set changes "
                                  "settings of one that has stopped"});
  if (!answer) return fail_with("set", answer.error());
  if (arguments.json) {
    fmt::print("{}\n", *answer);
    return 0;
  }
  // The values as they are now: a list is replaced as a whole, and whoever meant to add to it sees that.
  if (!arguments.sheet.empty() || !arguments.sites.empty()) return 0;
  std::set<std::string> told;
  for (const std::string& one : arguments.given) {
    SettingsArguments asked = arguments;
    asked.name = one.substr(0, one.find('='));
    if (!told.insert(asked.name).second) continue;
    if (const auto report = read_settings(asked)) std::ranges::for_each(report->settings, print_value);
  }
  return 0;
}

std::shared_ptr<SettingsArguments> add_options(CLI::App& command) {
  auto arguments = std::make_shared<SettingsArguments>();
  command.add_option("--collection", arguments->collection, "The folder of the collection")->capture_default_str();
  command.add_flag("--json", arguments->json, "The answer of the crawl itself (api/openapi.yaml)");
  return arguments;
}

std::shared_ptr<SettingsArguments> add_question(CLI::App& command) {
  auto arguments = add_options(command);
  command.add_option("name", arguments->name, "A setting (politeness.delay) or a section; all without it");
  auto* const url =
      command.add_option("--url", arguments->url, "The value for this URL, by the sheets that hold for it");
  command.add_option("--host", arguments->host, "The value for this host")->excludes(url);
  return arguments;
}

}  // namespace

void add_settings_commands(CLI::App& app, int& exit_code) {
  CLI::App* settings =
      app.add_subcommand("settings", "The settings of a crawl: what holds where and why, and new values")
          ->require_subcommand(1);

  CLI::App* get = settings->add_subcommand("get", "Print settings with their values");
  auto asked = add_question(*get);
  get->callback([asked, &exit_code] { exit_code = show("get", *asked, print_value); });

  CLI::App* explained =
      settings->add_subcommand("explain", "Say where a value comes from, and what it would be without");
  auto about = add_question(*explained);
  explained->callback([about, &exit_code] { exit_code = show("explain", *about, explain); });

  CLI::App* change = settings->add_subcommand("set", "Change settings of a crawl that runs, at once and for good");
  auto wanted = add_options(*change);
  change
      ->add_option("setting", wanted->given,
                   "politeness.delay=10s; a list has one for each of its items, and one with "
                   "nothing behind the = to empty it")
      ->required()
      ->option_text("NAME=VALUE…");
  change->add_option("--sheet", wanted->sheet, "Change them in this sheet, instead of for the whole crawl");
  change
      ->add_option(
          "--site", wanted->sites,
          "Make a sheet for this site (a host, a URL prefix or a SURT prefix), which outranks the others; repeatable")
      ->allow_extra_args(false)
      ->option_text("SITE");
  change->callback([wanted, &exit_code] { exit_code = set(*wanted); });
}

}  // namespace caddis::cli
