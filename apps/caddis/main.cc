// caddis: crawl, keep, index and browse the web. One sub-command a file; this one only puts them together.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "caddis/base/log.h"
#include "caddis/base/version.h"
#include "commands.h"

namespace {

// A reader that has seen enough (`| head`) is no error to talk about.
int output_failed(int code) {
  if (code != EPIPE) std::fprintf(stderr, "caddis: the output cannot be written: %s\n", std::strerror(code));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace caddis;
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Caddis archives the web: crawls it into WARC files, indexes and replays them.", "caddis");
  app.set_version_flag("--version", fmt::format("caddis {}", kVersion));
  app.require_subcommand(1);
  bool verbose = false;
  app.add_flag("--verbose", verbose, "Show what is done, not only what goes wrong");
  app.parse_complete_callback([&] {
    if (verbose) set_log_level(LogLevel::info);
  });

  int exit_code = 0;
  cli::add_crawl_commands(app, exit_code);
  cli::add_control_commands(app, exit_code);
  cli::add_frontier_commands(app, exit_code);
  cli::add_serve_commands(app, exit_code);
  cli::add_index_commands(app, exit_code);
  cli::add_warc_commands(app, exit_code);
  cli::add_url_commands(app, exit_code);
  cli::add_robots_commands(app, exit_code);
  cli::add_extract_commands(app, exit_code);
  cli::add_scope_commands(app, exit_code);
  cli::add_schema_commands(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  } catch (const std::system_error& error) {
    return output_failed(error.code().value());  // thrown by fmt::print
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return output_failed(errno);
  return exit_code;
}
