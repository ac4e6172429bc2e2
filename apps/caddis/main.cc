// caddis: crawl, keep, index and browse the web. One sub-command a file; this one only puts them together.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "caddis/base/last_words.h"
#include "caddis/base/log.h"
#include "collection_commands.h"
#include "commands.h"
#include "engine_commands.h"
#include "report_command.h"
#include "tell.h"
#include "usage.h"
#include "version_line.h"

namespace {

// A reader that has seen enough (`| head`) is no error to talk about.
int output_failed(int code) {
  if (code != EPIPE) std::fprintf(stderr, "caddis: the output cannot be written: %s\n", std::strerror(code));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace caddis;
  prepare_last_words();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit (ulimit -f) is an error of that file
  cli::hold_standard_streams();
  CLI::App app("Caddis archives the web: crawls it into WARC files, indexes and replays them.", "caddis");
  app.set_version_flag("-V,--version", cli::version_line());
  app.require_subcommand(1);
  bool verbose = false;
  app.add_flag("--verbose", verbose, "Show what is done, not only what goes wrong");
  app.parse_complete_callback([&] {
    if (verbose) set_log_level(LogLevel::info);
  });

  int exit_code = 0;
  cli::add_crawl_commands(app, exit_code);
  cli::add_control_commands(app, exit_code);
  cli::add_engine_command(app, exit_code);
  cli::add_job_commands(app, exit_code);
  cli::add_harvest_commands(app, exit_code);
  cli::add_frontier_commands(app, exit_code);
  cli::add_why_commands(app, exit_code);
  cli::add_log_commands(app, exit_code);
  cli::add_report_commands(app, exit_code);
  cli::add_seeds_commands(app, exit_code);
  cli::add_console_commands(app, exit_code);
  cli::add_repair_commands(app, exit_code);
  cli::add_import_commands(app, exit_code);
  cli::add_serve_commands(app, exit_code);
  cli::add_record_commands(app, exit_code);
  cli::add_collection_commands(app, exit_code);
  cli::add_users_commands(app, exit_code);
  cli::add_access_commands(app, exit_code);
  cli::add_index_commands(app, exit_code);
  cli::add_dedup_commands(app, exit_code);
  cli::add_warc_commands(app, exit_code);
  cli::add_wacz_commands(app, exit_code);
  cli::add_url_commands(app, exit_code);
  cli::add_robots_commands(app, exit_code);
  cli::add_extract_commands(app, exit_code);
  cli::add_scope_commands(app, exit_code);
  cli::add_settings_commands(app, exit_code);
  cli::add_profiles_commands(app, exit_code);
  cli::add_schema_commands(app, exit_code);
  cli::add_selftest_commands(app, exit_code);
  cli::add_man_command(app, exit_code);
  cli::add_help_command(app, exit_code);
  cli::add_complete_command(app);
  cli::add_document_worker_command(app, exit_code);
  cli::add_program_supervisor_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return cli::explain(app, error, {argv + 1, argv + argc});
  } catch (const std::system_error& error) {
    return output_failed(error.code().value());  // thrown by fmt::print
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return output_failed(errno);
  return exit_code;
}
