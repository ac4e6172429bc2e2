// caddis report, a sub-command as those of commands.h.
#pragma once

namespace CLI {
class App;
}

namespace caddis::cli {

void add_report_commands(CLI::App& app, int& exit_code);  // report

}  // namespace caddis::cli
