// The sub-commands of simweb, one file each. `exit_code`: 0 done, 1 failed or something is wrong, 2 wrong usage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "simweb/world/settings.h"

namespace CLI {
class App;
}

namespace simweb {

// What every command needs to know: which web.
struct WebOptions {
  std::string profile = "test";
  std::vector<std::string> set;
};
void add_web_options(CLI::App& command, WebOptions& options);
caddis::Result<WebSettings> web_settings(const WebOptions& options);

// To standard output; ends the process where nobody reads it any more.
void put(std::string_view text);

void add_serve_command(CLI::App& app, int& exit_code);
void add_oracle_command(CLI::App& app, int& exit_code);
void add_doors_command(CLI::App& app, int& exit_code);
void add_verify_command(CLI::App& app, int& exit_code);

}  // namespace simweb
