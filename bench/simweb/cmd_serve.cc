// simweb serve
#include <CLI/CLI.hpp>

#include "simweb/commands.h"

namespace simweb {

void add_serve_command(CLI::App& app, int& exit_code) {
  app.add_subcommand("serve", "Serve the web on loopback")->callback([&exit_code] { exit_code = 1; });
}

}  // namespace simweb
