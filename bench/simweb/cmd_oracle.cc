// simweb oracle
#include <CLI/CLI.hpp>

#include "simweb/commands.h"

namespace simweb {

void add_oracle_command(CLI::App& app, int& exit_code) {
  app.add_subcommand("oracle", "Print what a crawl of the web must find")->callback([&exit_code] { exit_code = 1; });
}

}  // namespace simweb
