#include "usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "caddis/base/strings.h"
#include "option_hints.h"
#include "tell.h"

namespace caddis::cli {
namespace {

const CLI::App* subcommand_named(const CLI::App& command, const std::string& name) {
  for (const CLI::App* one : command.get_subcommands(nullptr))
    if (one->get_name() == name) return one;
  return nullptr;
}

std::vector<std::string> names_of_subcommands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* one : command.get_subcommands(nullptr))
    if (!one->get_group().empty()) names.push_back(one->get_name());
  return names;
}

// The words of a command line as far as they name commands and options.
struct Words {
  const CLI::App* command;           // the innermost that is named
  std::string path;                  // "caddis warc"
  std::vector<std::string> options;  // that may be given
  std::string unknown_command;       // the first word that should name a command, and does not
  std::vector<std::string> unknown_options;
  bool only_commands = true;

  explicit Words(const CLI::App& app) : command(&app), path(app.get_name()) { add_options(); }

  void add(const std::string& word) {
    const CLI::App* const named = subcommand_named(*command, word);
    if (named != nullptr) {
      command = named;
      path += " " + word;
      add_options();
      return;
    }
    only_commands = false;
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with('-') && std::ranges::find(options, name) == options.end())
      unknown_options.push_back(name);
    else if (!word.starts_with('-') && unknown_command.empty() && !command->get_subcommands(nullptr).empty())
      unknown_command = word;
  }

 private:
  void add_options() {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
      for (const std::string& name : option->get_snames()) options.push_back("-" + name);
    }
  }
};

Words understand(const CLI::App& app, const std::vector<std::string>& words) {
  Words understood(app);
  for (const std::string& word : words) understood.add(word);
  return understood;
}

// The help of a command, with the names of those around it in its usage line. App::help would show that of the command
// that was given, which is `help`.
std::string help_of(const Words& words) {
  return words.command->get_formatter()->make_help(words.command, words.path, CLI::AppFormatMode::Normal);
}

bool tell_hints(const Words& words) {
  if (words.command->get_name() != "crawl") return false;
  bool told = false;
  for (const std::string& option : words.unknown_options) {
    const OptionHint* const hint = hint_for(option);
    if (hint == nullptr) continue;
    tell(fmt::format("caddis: {} is an option of {}; here: {}\n", option, hint->tool, hint->instead));
    told = true;
  }
  return told;
}

// The name that was probably meant by the first word that is not known; empty if there is none.
std::string meant(const Words& words) {
  if (!words.unknown_command.empty()) return nearest_name(words.unknown_command, names_of_subcommands(*words.command));
  for (const std::string& option : words.unknown_options)
    if (option.starts_with("--")) return nearest_name(option, words.options);
  return {};
}

// "caddis warc: there is no command 'lst'. There are: ls, cat, …"
std::string missing_command(const Words& words) {
  const auto names = names_of_subcommands(*words.command);
  const std::string what = words.unknown_command.empty()
                               ? std::string("a command is missing")
                               : fmt::format("there is no command '{}'", words.unknown_command);
  return fmt::format("{0}: {1}. There {2}: {3}\n{0} --help tells what {4}.\n", words.path, what,
                     names.size() == 1 ? "is" : "are", fmt::join(names, ", "),
                     names.size() == 1 ? "it does" : "they do");
}

int show_help(const CLI::App& app, const std::vector<std::string>& commands) {
  const Words words = understand(app, commands);
  if (words.only_commands) {
    tell(help_of(words), stdout);
    return 0;
  }
  const auto known = names_of_subcommands(*words.command);
  const std::string near = nearest_name(words.unknown_command, known);
  tell(fmt::format("caddis help: there is no command '{}'{}\n", fmt::join(commands, " "),
                   near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  return 2;
}

}  // namespace

void add_help_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("help", "Show the commands, or the options of one");
  auto commands = std::make_shared<std::vector<std::string>>();
  command->add_option("command", *commands, "A command, such as crawl or warc ls");
  command->callback([&app, commands, &exit_code] { exit_code = show_help(app, *commands); });
}

int explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& given) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const Words words = understand(app, given);
  if (words.only_commands && !words.command->get_subcommands(nullptr).empty()) {
    tell(help_of(words));
    return 2;
  }
  if (tell_hints(words)) return 2;
  if (error.get_name() == "RequiredError" && !words.command->get_subcommands(nullptr).empty())
    tell(missing_command(words));
  else
    app.exit(error);
  const std::string name = meant(words);
  if (!name.empty()) tell(fmt::format("Did you mean {}?\n", name));
  return 2;
}

}  // namespace caddis::cli
