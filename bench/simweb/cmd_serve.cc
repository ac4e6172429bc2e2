// simweb serve: the web on loopback until SIGTERM or SIGINT, then the judge's report.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "caddis/base/json_text.h"
#include "simweb/commands.h"
#include "simweb/judge/report.h"
#include "simweb/serve/server.h"

namespace simweb {
namespace {

struct Options {
  WebOptions web;
  uint16_t dns_port = 0;
  uint64_t min_gap = 0;
  uint32_t host_requests = 0, address_requests = 0;
  std::string ca_out, report, log;
  bool any_port = false;
  bool no_coverage = false;
  bool page_rank = false;
};

// The one server of this process, for the signal handler.
Server* stoppable = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
void on_signal(int) { stoppable->stop(); }

caddis::Result<void> write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return caddis::fail(caddis::ErrorCode::io, "cannot write " + path);
  return {};
}

caddis::Result<void> serve(const Options& options) {
  TRY(WebSettings settings, web_settings(options.web));
  if (options.any_port) settings.http_port = settings.https_port = 0;
  ServeOptions serving{.dns_port = options.dns_port};
  serving.judge = {.min_gap = std::chrono::milliseconds(options.min_gap),
                   .host_requests = options.host_requests,
                   .address_requests = options.address_requests,
                   .page_rank = options.page_rank,
                   .log = nullptr};
  std::ofstream log;
  if (!options.log.empty()) {
    log.open(options.log, std::ios::binary);
    if (!log) return caddis::fail(caddis::ErrorCode::io, "cannot write " + options.log);
    serving.judge.log = [&log](std::string_view line) { log << line << '\n'; };
  }
  TRY(const auto server, Server::create(settings, serving, caddis::system_clock()));
  if (!options.ca_out.empty()) TRY_VOID(write_file(options.ca_out, server->authority_pem()));

  stoppable = server.get();
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  caddis::JsonObject ready;
  ready.add("http_port", server->ports().http)
      .add("https_port", server->ports().https)
      .add("dns_port", server->ports().dns)
      .add("seed", server->world().seed());
  fmt::print("{}\n", ready.finish());
  std::fflush(stdout);
  server->run();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);

  if (!options.log.empty() && !log.flush()) return caddis::fail(caddis::ErrorCode::io, "cannot write " + options.log);
  const Coverage found = options.no_coverage ? Coverage() : coverage(server->recorder());
  fmt::print("{}", report_text(server->recorder(), found));
  if (!options.report.empty()) TRY_VOID(write_file(options.report, report_json(server->recorder(), found) + "\n"));
  return {};
}

}  // namespace

void add_serve_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      *app.add_subcommand("serve", "Serve the web on loopback until SIGTERM, then report what the judge saw");
  add_web_options(command, options->web);
  command.add_flag("--any-port", options->any_port,
                   "Let the system choose http_port and https_port; the first line of output tells them, for --set");
  command.add_option("--dns-port", options->dns_port, "UDP port of the name server; 0: any")->capture_default_str();
  command.add_option("--ca-out", options->ca_out, "Write the certificate that signs those of all hosts to this file");
  command.add_option("--report", options->report, "Write the judge's report to this file, as JSON");
  command.add_option("--log", options->log,
                     "Write a line for each answer to this file: begin and end in seconds of the steady clock, status, "
                     "whole or broken, URL");
  command.add_option("--min-gap", options->min_gap, "Judge: least ms between an answer and the host's next request");
  command.add_option("--host-requests", options->host_requests, "Judge: most requests to a host at a time");
  command.add_option("--address-requests", options->address_requests, "Judge: most requests to an address at a time");
  command.add_flag(
      "--page-rank", options->page_rank,
      "Judge: weigh pages by PageRank, worked out at the start; a web of more than 500,000 pages by shares of links");
  command.add_flag("--no-coverage", options->no_coverage, "Judge: do not go through the whole web at the end");
  command.callback([options, &exit_code] {
    const auto done = serve(*options);
    if (done) return;
    fmt::print(stderr, "simweb: {}\n", done.error().message);
    exit_code = done.error().code == caddis::ErrorCode::config ? 2 : 1;
  });
}

}  // namespace simweb
