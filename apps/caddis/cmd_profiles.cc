// caddis profiles [NAME]: the settings that ship for the usual crawls, as a list, or one of them as YAML.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "caddis/config/profiles.h"
#include "commands.h"

namespace caddis::cli {
namespace {

int print_profiles(const std::string& name) {
  if (name.empty()) {
    for (const config::Profile& profile : config::profiles()) fmt::print("{:<10} {}\n", profile.name, profile.summary);
    return 0;
  }
  const auto found = config::find_profile(name);
  if (!found) {
    fmt::print(stderr, "caddis profiles: {}\n", found.error().message);
    return 2;
  }
  fmt::print("{}", (*found)->yaml);
  return 0;
}

}  // namespace

void add_profiles_commands(CLI::App& app, int& exit_code) {
  CLI::App* profiles =
      app.add_subcommand("profiles", "List the settings that ship for the usual crawls, or print some");
  auto name = std::make_shared<std::string>();
  profiles->add_option("name", *name, "One of them: its YAML is printed, to be copied and changed");
  profiles->callback([name, &exit_code] { exit_code = print_profiles(*name); });
}

}  // namespace caddis::cli
