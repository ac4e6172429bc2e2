// The sub-commands of the engine and of the harvest server (commands.h tells how they are put together).
#pragma once

namespace CLI {
class App;
}

namespace caddis::cli {

void add_engine_command(CLI::App& app, int& exit_code);    // engine
void add_job_commands(CLI::App& app, int& exit_code);      // job list|show|create|build|launch|…
void add_harvest_commands(CLI::App& app, int& exit_code);  // harvest server|harvester

}  // namespace caddis::cli
