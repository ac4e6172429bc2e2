// Help, and what people are told whose words are not understood.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace caddis::cli {

// caddis help [command]
void add_help_command(CLI::App& app, int& exit_code);

// Tells what is wrong with a command line, or prints the help or version it asks for. Returns the exit code.
int explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words);

}  // namespace caddis::cli
