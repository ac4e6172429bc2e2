// The sub-commands of the engine (commands.h tells how they are put together).
#pragma once

namespace CLI {
class App;
}

namespace caddis::cli {

void add_engine_command(CLI::App& app, int& exit_code);  // engine
void add_job_commands(CLI::App& app, int& exit_code);    // job list|show|create|build|launch|…

}  // namespace caddis::cli
