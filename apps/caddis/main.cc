// caddis: crawl, keep, index and browse the web. One sub-command a file; this one only puts them together.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "caddis/base/last_words.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "commands.h"
#include "tell.h"

namespace {

// A reader that has seen enough (`| head`) is no error to talk about.
int output_failed(int code) {
  if (code != EPIPE) std::fprintf(stderr, "caddis: the output cannot be written: %s\n", std::strerror(code));
  return 1;
}

const CLI::App* subcommand_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (command->get_name() == name) return command;
  return nullptr;
}

// The name that was probably meant, of the first word that is no command or option; empty where there is none.
std::string meant(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  std::vector<std::string> options;
  const auto add_options = [&] {
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  };
  add_options();
  for (int i = 1; i < argc; ++i) {
    const std::string word(argv[i]);
    if (!word.starts_with("--")) {
      const auto commands = command->get_subcommands(nullptr);
      const CLI::App* const named = subcommand_named(*command, word);
      if (commands.empty() || word.starts_with('-')) continue;
      if (named != nullptr) {
        command = named;
        add_options();
        continue;
      }
      std::vector<std::string> names;
      for (const CLI::App* one : commands) names.push_back(one->get_name());
      return caddis::nearest_name(word, names);
    }
    const std::string name = word.substr(0, word.find('='));
    if (std::ranges::find(options, name) == options.end()) return caddis::nearest_name(name, options);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace caddis;
  prepare_last_words();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit (ulimit -f) is an error of that file
  cli::hold_standard_streams();
  CLI::App app("Caddis archives the web: crawls it into WARC files, indexes and replays them.", "caddis");
  app.set_version_flag("--version", fmt::format("caddis {}", kVersion));
  app.require_subcommand(1);
  bool verbose = false;
  app.add_flag("--verbose", verbose, "Show what is done, not only what goes wrong");
  app.parse_complete_callback([&] {
    if (verbose) set_log_level(LogLevel::info);
  });

  int exit_code = 0;
  cli::add_crawl_commands(app, exit_code);
  cli::add_control_commands(app, exit_code);
  cli::add_frontier_commands(app, exit_code);
  cli::add_serve_commands(app, exit_code);
  cli::add_index_commands(app, exit_code);
  cli::add_warc_commands(app, exit_code);
  cli::add_url_commands(app, exit_code);
  cli::add_robots_commands(app, exit_code);
  cli::add_extract_commands(app, exit_code);
  cli::add_scope_commands(app, exit_code);
  cli::add_schema_commands(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    if (code == 0) return 0;
    const std::string name = meant(app, argc, argv);
    if (!name.empty()) cli::tell(fmt::format("Did you mean {}?\n", name));
    return 2;
  } catch (const std::system_error& error) {
    return output_failed(error.code().value());  // thrown by fmt::print
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return output_failed(errno);
  return exit_code;
}
