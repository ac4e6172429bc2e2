// caddis settings get|explain|sheets|set|unset: the settings of a crawl, the values that hold for a URL or a host and
// where they come from; its sheets; new values for one that runs, everywhere or for some sites, and none any more.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "asked_crawl.h"
#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/control/crawl_reports.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

constexpr size_t kMostOfARemark = 2000;

struct SettingsArguments {
  std::string collection = ".", name, url, host, sheet;
  std::vector<std::string> given, sites;
  bool json = false, dry = false;
};

int fail_with(std::string_view command, const Error& error) {
  tell(fmt::format("caddis settings {}: {}\n", command, error.message));
  return 1;
}

// A crawl that runs tells itself; of another one the files of its launch do.
Result<api::Settings> read_settings(const SettingsArguments& arguments) {
  TRY(auto crawl, open_asked_crawl(arguments.collection));
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
  for (const api::SettingRemark& remark : setting.remarks)
    fmt::print("  {:<7} {}\n", remark.severity, visible(remark.text, kMostOfARemark));
  fmt::print("  {}\n", change_words(setting));
}

// The first of words that is no setting but a collection, or the folder of a job: "caddis settings get archive/".
std::optional<std::string> folder_among(const std::vector<std::string>& words) {
  io::Files& files = io::real_files();
  const auto found = std::ranges::find_if(words, [&](const std::string& word) {
    return files.is_directory(io::join_path(word, "crawls")) || files.is_directory(io::join_path(word, "latest"));
  });
  return found == words.end() ? std::nullopt : std::optional(*found);
}

int refuse_folder(std::string_view command, const std::string& folder) {
  tell(fmt::format("caddis settings {}: {} is a folder, no setting: a collection is given as --collection {}\n",
                   command, folder, folder));
  return 2;
}

int show(std::string_view command, const SettingsArguments& arguments, void (*print)(const api::Setting&)) {
  if (const auto folder = folder_among({arguments.name})) return refuse_folder(command, *folder);
  const auto report = read_settings(arguments);
  if (!report) return fail_with(command, report.error());
  if (arguments.json) {
    fmt::print("{}\n", api::to_json(*report));
    return 0;
  }
  for (const api::Setting& setting : report->settings) print(setting);
  return 0;
}

// "politeness.delay = 10s (was 3s)"; a refusal, or what is said about it, below.
void print_changes(const api::SettingsChanges& told) {
  if (told.changes.empty()) fmt::print("nothing {}\n", told.applied ? "changes by this" : "would change");
  for (const api::SettingChange& change : told.changes) {
    fmt::print("{}{} = {} (was {})\n", told.applied ? "" : "would be: ", change.name, shown(change.after, 2),
               change.before.empty() ? "nothing" : shown(change.before, 2));
    if (change.refused) fmt::print("  refused {}\n", visible(*change.refused, kMostOfARemark));
  }
  for (const api::SettingRemark& remark : told.remarks)
    fmt::print("  {:<7} {}\n", remark.severity, visible(remark.text, kMostOfARemark));
}

// A warning keeps a change from being made, as a refusal does.
bool would_be_refused(const api::SettingsChanges& told) {
  return std::ranges::any_of(told.changes, [](const api::SettingChange& one) { return one.refused.has_value(); }) ||
         std::ranges::any_of(told.remarks, [](const api::SettingRemark& one) { return one.severity != "info"; });
}

int change(std::string_view command, const std::string& path, const SettingsArguments& arguments) {
  if (const auto folder = folder_among(arguments.given)) return refuse_folder(command, *folder);
  auto crawl = open_asked_crawl(arguments.collection);
  if (!crawl) return fail_with(command, crawl.error());
  const auto answer = crawl->post(path,
                                  query_of({{"sheet", arguments.sheet},
                                            {"sites", fmt::format("{}", fmt::join(arguments.sites, " "))},
                                            {"dry", arguments.dry ? "1" : ""}}),
                                  fmt::format("{}\n", fmt::join(arguments.given, "\n")));
  if (!answer && answer.error().code == ErrorCode::not_found)
    return fail_with(command, Error{ErrorCode::not_found,
                                    "no crawl runs there: caddis crawl --resume --set changes "
                                    "settings of one that has stopped"});
  if (!answer) return fail_with(command, answer.error());
  const auto told = api::from_json<api::SettingsChanges>(*answer);
  if (!told) return fail_with(command, told.error());
  if (arguments.json)
    fmt::print("{}\n", *answer);
  else
    print_changes(*told);
  return would_be_refused(*told) ? 1 : 0;
}

int unset(const SettingsArguments& arguments) {
  if (!arguments.given.empty() || !arguments.sheet.empty() || !arguments.sites.empty())
    return change("unset", "/settings/unset", arguments);
  tell("caddis settings unset: name settings, or a sheet that is to be taken away\n");
  return 2;
}

Result<api::Sheets> read_sheets(const SettingsArguments& arguments) {
  TRY(auto crawl, open_asked_crawl(arguments.collection));
  auto answer = crawl.ask_sheets(query_of({{"name", arguments.name}}));
  if (answer) return api::from_json<api::Sheets>(*answer);
  if (answer.error().code != ErrorCode::not_found) return std::unexpected(std::move(answer).error());
  config::Settings settings;
  TRY_VOID(crawl::load_settings_files(io::real_files(), crawl.launch(), settings));
  return control::sheets_report(settings, arguments.name);
}

int show_sheets(const SettingsArguments& arguments) {
  const auto report = read_sheets(arguments);
  if (!report) return fail_with("sheets", report.error());
  if (arguments.json) {
    fmt::print("{}\n", api::to_json(*report));
    return 0;
  }
  for (const api::Sheet& sheet : report->sheets) {
    fmt::print("{}\n", sheet.name);
    if (!sheet.sites.empty()) fmt::print("  sites  {}\n", fmt::join(sheet.sites, " "));
    if (!sheet.urls.empty()) fmt::print("  urls   {}\n", fmt::join(sheet.urls, " "));
    if (!sheet.when.empty()) fmt::print("  when   {}\n", sheet.when);
    for (const std::string& times : sheet.times) fmt::print("  times  {}\n", times);
    for (const api::SheetValue& value : sheet.settings) fmt::print("  {} = {}\n", value.name, shown(value.value, 4));
  }
  return 0;
}

std::shared_ptr<SettingsArguments> add_options(CLI::App& command) {
  auto arguments = std::make_shared<SettingsArguments>();
  command.add_option("--collection", arguments->collection, "The folder of the collection")->capture_default_str();
  command.add_flag("--json", arguments->json, "The answer of the crawl itself (api/openapi.yaml)");
  return arguments;
}

void add_dry_run(CLI::App& command, SettingsArguments& arguments) {
  command.add_flag("--dry-run", arguments.dry,
                   "Say what would change and what would be refused (exit code 1), and change nothing");
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

  CLI::App* change_command =
      settings->add_subcommand("set", "Change settings of a crawl that runs, at once and for good");
  auto wanted = add_options(*change_command);
  change_command
      ->add_option("setting", wanted->given,
                   "politeness.delay=10s; a list has one for each of its items, and one with "
                   "nothing behind the = to empty it")
      ->required()
      ->option_text("NAME=VALUE…");
  change_command->add_option("--sheet", wanted->sheet, "Change them in this sheet, instead of for the whole crawl");
  change_command
      ->add_option(
          "--site", wanted->sites,
          "Make a sheet for this site (a host, a URL prefix or a SURT prefix), which outranks the others; repeatable")
      ->allow_extra_args(false)
      ->option_text("SITE");
  add_dry_run(*change_command, *wanted);
  change_command->callback([wanted, &exit_code] { exit_code = change("set", "/settings", *wanted); });

  CLI::App* removal = settings->add_subcommand(
      "unset", "Give settings of a crawl that runs their defaults, or have a sheet say nothing about them any more");
  auto removed = add_options(*removal);
  removal->add_option("setting", removed->given,
                      "politeness.delay, or a section; with a sheet and without any, the whole sheet is taken away");
  removal->add_option("--sheet", removed->sheet, "In this sheet, instead of for the whole crawl");
  removal->add_option("--site", removed->sites, "In the sheet that set --site made for this site; repeatable")
      ->allow_extra_args(false)
      ->option_text("SITE");
  add_dry_run(*removal, *removed);
  removal->callback([removed, &exit_code] { exit_code = unset(*removed); });

  CLI::App* sheets =
      settings->add_subcommand("sheets", "List the sheets of a crawl: where they hold, and what they say");
  auto listed = add_options(*sheets);
  sheets->add_option("name", listed->name, "This one alone");
  sheets->callback([listed, &exit_code] { exit_code = show_sheets(*listed); });
}

}  // namespace caddis::cli
