// simweb: a synthetic web with the truth known. One sub-command a file; this one only puts them together.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "simweb/commands.h"

namespace simweb {

void add_web_options(CLI::App& command, WebOptions& options) {
  std::string names;
  for (const std::string& name : profile_names()) names += (names.empty() ? "" : ", ") + name;
  command.add_option("--profile", options.profile, "Which web: " + names)->capture_default_str();
  command.add_option("--set", options.set, "A setting of it: name=value; may be repeated")
      ->allow_extra_args(false)
      ->take_all();
}

caddis::Result<WebSettings> web_settings(const WebOptions& options) {
  TRY(WebSettings settings, profile(options.profile));
  for (const std::string& text : options.set) TRY_VOID(set(settings, text));
  TRY_VOID(validate(settings));
  return settings;
}

void put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) std::_Exit(1);
}

}  // namespace simweb

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("simweb serves a synthetic web on loopback and knows what a crawl of it must find.", "simweb");
  app.require_subcommand(1);
  int exit_code = 0;
  simweb::add_serve_command(app, exit_code);
  simweb::add_oracle_command(app, exit_code);
  simweb::add_doors_command(app, exit_code);
  simweb::add_verify_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return exit_code;
}
