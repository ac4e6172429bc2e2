// caddis selftest: tries out a whole installation: crawls a site of its own on loopback, and looks at what has come of it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/visible.h"
#include "caddis/selftest/selftest.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct SelftestOptions {
  bool keep = false, json = false;
};

// A folder that is nobody else's; empty if none can be made.
std::string new_folder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "caddis-selftest-XXXXXX").string();
  return error || ::mkdtemp(name.data()) == nullptr ? std::string() : name;
}

void tell_check(const selftest::Check& check, bool json) {
  if (json)
    fmt::print(
        "{}\n",
        JsonObject().add("check", check.name).add("passed", check.is_passed).add("text", visible(check.text)).finish());
  else
    fmt::print("{:<6}  {:<16}  {}\n", check.is_passed ? "passed" : "FAILED", check.name, visible(check.text));
  std::fflush(stdout);
}

int selftest_now(const SelftestOptions& options) {
  const std::string folder = new_folder();
  if (folder.empty()) {
    tell("caddis selftest: no temporary folder can be made; TMPDIR says where it is to be\n");
    return 1;
  }
  // The user's own settings are not what is tried.
  ::setenv("HOME", folder.c_str(), 1);
  ::unsetenv("CADDIS_CONTACT");
  set_log_level(LogLevel::error);  // of the site's server, which cuts answers on purpose
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  const bool is_sound = selftest::run({.caddis = self, .folder = folder},
                                      [&](const selftest::Check& check) { tell_check(check, options.json); });
  if (is_sound && !options.keep)
    std::filesystem::remove_all(folder, error);
  else if (!options.json)
    fmt::print("        the archive is in {}\n", folder);
  if (options.json)
    fmt::print("{}\n", JsonObject().add("sound", is_sound).finish());
  else
    fmt::print("{}\n", is_sound ? "Caddis works on this machine." : "Caddis does NOT work as it should.");
  return is_sound ? 0 : 1;
}

}  // namespace

void add_selftest_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("selftest", "Crawl a site of its own, and check all that comes of it");
  command->footer(
      "Nothing leaves the machine: the site is served on loopback. It takes less than a minute, and 50 MB in a "
      "temporary folder (TMPDIR). The exit code is 1 if something does not work.");
  const auto options = std::make_shared<SelftestOptions>();
  command->add_flag("--keep", options->keep, "Leave the archive for you to look at; it stays, too, if a check fails");
  command->add_flag("--json", options->json, "Print a JSON object for each check, and the ruling as the last");
  command->callback([options, &exit_code] { exit_code = selftest_now(*options); });
}

}  // namespace caddis::cli
