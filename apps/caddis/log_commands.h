// The sub-commands of `caddis log`.
#pragma once

#include <CLI/CLI.hpp>

namespace caddis::cli {

void add_log_convert_command(CLI::App& log, int& exit_code);
void add_log_graph_command(CLI::App& log, int& exit_code);

}  // namespace caddis::cli
