// caddis complete LINE: for the shell (caddis.bash): the words that may end a line that is being typed, a line each.
// If there are none, the shell offers files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asked_crawl.h"
#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/config/profiles.h"
#include "caddis/config/settings.h"
#include "caddis/config/steps.h"
#include "caddis/engine/job_folder.h"
#include "caddis/io/files.h"
#include "caddis/settings/yaml_tree.h"
#include "commands.h"

namespace caddis::cli {
namespace {

// The line as far as it is typed: the words before the one that is being typed, and that.
struct TypedLine {
  std::vector<std::string> before;
  std::string last;
};

TypedLine typed(std::string_view line) {
  TypedLine words;
  for (const std::string_view word : split(line, ' '))
    if (!word.empty()) words.before.emplace_back(word);
  if (!line.empty() && line.back() != ' ' && !words.before.empty()) {
    words.last = std::move(words.before.back());
    words.before.pop_back();
  }
  return words;
}

CLI::App* subcommand(CLI::App& app, const std::string& name) {
  const auto all = app.get_subcommands([&](CLI::App* one) { return one->get_name() == name; });
  return all.empty() ? nullptr : all.front();
}

// The sub-command that the words name.
CLI::App& command_of(CLI::App& app, const TypedLine& line) {
  CLI::App* command = &app;
  for (size_t i = 1; i < line.before.size(); ++i)
    if (CLI::App* const next = subcommand(*command, line.before[i])) command = next;
  return *command;
}

const settings::YamlNode* entry(const settings::YamlNode* map, std::string_view name) {
  for (size_t i = 0; map != nullptr && map->is_map() && i < map->entries(); ++i)
    if (map->name(i).text() == name) return &map->value(i);
  return nullptr;
}

// The modules that the latest crawl of a collection names; none of them is loaded.
std::vector<std::string> modules_of_collection(const std::string& collection) {
  constexpr size_t kLargest = 16 << 20;
  const auto crawl = open_asked_crawl(collection);
  if (!crawl) return {};
  const auto text = io::real_files().read_all(crawl->launch().settings_file(), kLargest);
  if (!text) return {};
  const auto tree = settings::YamlTree::parse(*text);
  std::vector<std::string> files;
  if (const auto* const load = tree ? entry(entry(&tree->root(), "modules"), "load") : nullptr)
    for (const settings::YamlNode* file : load->items()) files.push_back(file->text());
  return files;
}

// Scripts named by `--module`, and those of the crawl whose collection is named. A shared object is not loaded for a line
// that nobody has entered.
std::vector<std::string> modules_of(const TypedLine& line) {
  std::vector<std::string> files;
  std::string collection;
  for (size_t i = 0; i + 1 < line.before.size(); ++i) {
    if (line.before[i] == "--module") files.push_back(line.before[i + 1]);
    if (line.before[i] == "--collection") collection = line.before[i + 1];
  }
  if (!collection.empty()) files = config::join_modules(std::move(files), modules_of_collection(collection));
  std::erase_if(files, [](const std::string& file) { return !file.ends_with(".lua"); });
  return files;
}

// Names of settings; behind the `=` of one, its values, if they can be listed. `separator` follows a name.
std::vector<std::string> settings_for(const TypedLine& line, std::string_view separator) {
  config::Settings settings;
  settings.modules.load = modules_of(line);
  if (!config::load_modules(settings)) settings.modules.load.clear();
  const size_t equals = line.last.find('=');
  std::vector<std::string> found;
  for (const settings::Schema* schema : config::settings_schemas(settings)) {
    for (const settings::Field& field : schema->fields()) {
      const std::string name = fmt::format("{}.{}", schema->name(), field.name);
      if (equals == std::string::npos) {
        found.push_back(fmt::format("{}{}", name, separator));
      } else if (line.last.substr(0, equals) == name) {
        for (const settings::Choice& choice : field.row.choices) found.emplace_back(choice.name);
        if (name == "pipeline.url" || name == "pipeline.disable") found = config::step_names();
        if (std::holds_alternative<bool>(field.default_value)) found = {"false", "true"};
      }
    }
  }
  return found;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const config::Profile& profile : config::profiles()) names.emplace_back(profile.name);
  return names;
}

bool takes_value(const CLI::App& command, const std::string& word) {
  const CLI::Option* const option = command.get_option_no_throw(word);
  return option != nullptr && option->get_items_expected_max() > 0;
}

// The value of an option in the words before, or its default.
std::string value_of(const TypedLine& line, std::string_view option, std::string otherwise) {
  for (size_t i = 0; i + 1 < line.before.size(); ++i)
    if (line.before[i] == option) return line.before[i + 1];
  return otherwise;
}

// The folders of jobs: they are found without the engine, which may not run.
std::vector<std::string> job_names(const TypedLine& line) {
  const std::string folder = value_of(line, "--jobs", "jobs");
  std::vector<std::string> names;
  const auto entries = io::real_files().list(folder);
  if (!entries) return names;
  for (const io::DirectoryEntry& entry : *entries) {
    if (!entry.is_directory || !engine::is_job_name(entry.name)) continue;
    if (engine::JobFolder(io::real_files(), folder + "/" + entry.name).has_config()) names.push_back(entry.name);
  }
  return names;
}

std::vector<std::string> checkpoints_of_job(const TypedLine& line, const std::string& job) {
  std::vector<std::string> names = {"latest"};
  const std::string folder = value_of(line, "--jobs", "jobs") + "/" + job + "/latest/state/checkpoints";
  if (const auto entries = io::real_files().list(folder))
    for (const io::DirectoryEntry& entry : *entries)
      if (entry.is_directory) names.push_back(entry.name);
  return names;
}

// Words behind the command's name that are neither options nor their values.
std::vector<std::string> positionals(const CLI::App& command, const TypedLine& line) {
  std::vector<std::string> found;
  bool is_behind = false;
  for (size_t i = 1; i < line.before.size(); ++i) {
    const std::string& word = line.before[i];
    if (is_behind && !word.starts_with('-') && !takes_value(command, line.before[i - 1])) found.push_back(word);
    if (!is_behind && word == command.get_name()) is_behind = true;
  }
  return found;
}

// `caddis job …`: its names, and its checkpoints. Nothing where other words are wanted.
std::optional<std::vector<std::string>> of_jobs(const CLI::App& command, const TypedLine& line,
                                                const std::string& previous) {
  if (command.get_parent() == nullptr || command.get_parent()->get_name() != "job") return std::nullopt;
  const std::vector<std::string> given = positionals(command, line);
  if (previous == "--from") return job_names(line);
  if (previous == "--checkpoint" && !given.empty()) return checkpoints_of_job(line, given.front());
  if (line.last.starts_with('-') || takes_value(command, previous)) return std::nullopt;
  const bool wants_name = given.empty() && command.get_name() != "list" && command.get_name() != "create";
  return wants_name ? std::optional(job_names(line)) : std::nullopt;
}

std::vector<std::string> candidates(CLI::App& app, const TypedLine& line) {
  CLI::App& command = command_of(app, line);
  const std::string previous = line.before.empty() ? "" : line.before.back();
  if (auto found = of_jobs(command, line, previous)) return *std::move(found);
  if (previous == "--set") return settings_for(line, "=");
  if (previous == "--profile") return profile_names();
  if (previous.starts_with('-') && takes_value(command, previous)) return {};
  std::vector<std::string> found;
  if (line.last.starts_with('-')) {
    for (const CLI::Option* option : command.get_options())
      for (const std::string& name : option->get_lnames()) found.push_back("--" + name);
    return found;
  }
  if (command.get_parent() != nullptr && command.get_parent()->get_name() == "settings") {
    const std::string& name = command.get_name();
    return name == "sheets" ? found : settings_for(line, name == "set" ? "=" : "");
  }
  for (const CLI::App* one : command.get_subcommands([](CLI::App* any) { return !any->get_group().empty(); }))
    found.push_back(one->get_name());
  return found;
}

}  // namespace

void add_complete_command(CLI::App& app) {
  CLI::App* complete = app.add_subcommand("complete", "What may stand at the end of a command line: for shells");
  complete->group("");
  auto line = std::make_shared<std::string>();
  complete->add_option("line", *line, "The line as far as it is typed");
  complete->callback([line, &app] {
    const TypedLine words = typed(*line);
    std::vector<std::string> found = candidates(app, words);
    std::ranges::sort(found);
    const size_t equals = words.last.find('=');
    const std::string_view begin = std::string_view(words.last).substr(equals == std::string::npos ? 0 : equals + 1);
    for (const std::string& one : found)
      if (one.starts_with(begin)) fmt::print("{}\n", one);
  });
}

}  // namespace caddis::cli
