// simweb verify
#include <CLI/CLI.hpp>

#include "simweb/commands.h"

namespace simweb {

void add_verify_command(CLI::App& app, int& exit_code) {
  app.add_subcommand("verify", "Compare a collection with the web")->callback([&exit_code] { exit_code = 1; });
}

}  // namespace simweb
