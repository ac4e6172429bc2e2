// simweb oracle: what a crawl must find, one line of JSON a URL.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "caddis/base/json_text.h"
#include "simweb/commands.h"
#include "simweb/oracle/oracle.h"

namespace simweb {
namespace {

struct Options {
  WebOptions web;
  bool digests = false, identity = false, summary = false;
};

std::string line_of(const World& world, const HostFacts& host, const PageRef& page, const Expectation& expected,
                    const Options& options) {
  caddis::JsonObject line;
  line.add("url", world.url(host, page)).add("verdict", to_string(expected.verdict));
  line.add("status", expected.status).add("reason", expected.reason);
  if (options.digests) {
    const std::string digest = payload_digest(world, host, page, 0, !options.identity);
    if (!digest.empty()) line.add("digest", digest);
  }
  return line.finish() + "\n";
}

caddis::Result<void> print_oracle(const Options& options) {
  TRY(const WebSettings settings, web_settings(options.web));
  const World world(settings);
  uint64_t counts[3] = {};
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    for_each_expected(world, host, [&](const PageRef& page, const Expectation& expected) {
      ++counts[static_cast<size_t>(expected.verdict)];
      if (!options.summary) put(line_of(world, host, page, expected, options));
    });
  }
  if (!options.summary) return {};
  caddis::JsonObject line;
  line.add("seed", world.seed()).add("hosts", world.hosts());
  for (const Verdict verdict : {Verdict::must, Verdict::may, Verdict::must_not})
    line.add(to_string(verdict), counts[static_cast<size_t>(verdict)]);
  put(line.finish() + "\n");
  return {};
}

}  // namespace

void add_oracle_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("oracle", "Print what a crawl of the web must find, a URL a line");
  add_web_options(*command, options->web);
  command->add_flag("--digests", options->digests, "With the digest of each payload");
  command->add_flag("--identity", options->identity, "Digests as a client has them that does not accept gzip");
  command->add_flag("--summary", options->summary, "Only the seed and the numbers");
  command->callback([options, &exit_code] {
    const auto done = print_oracle(*options);
    if (done) return;
    fmt::print(stderr, "simweb: {}\n", done.error().message);
    exit_code = done.error().code == caddis::ErrorCode::config ? 2 : 1;
  });
}

}  // namespace simweb
