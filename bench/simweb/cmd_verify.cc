// simweb verify: a collection against the web that it was made from.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "caddis/base/json_text.h"
#include "caddis/io/text_lines.h"
#include "simweb/commands.h"
#include "simweb/oracle/collection.h"
#include "simweb/oracle/verify.h"

namespace simweb {
namespace {

struct Options {
  WebOptions web;
  std::string folder;
  std::vector<std::string> logs;
  std::string crawl;
  uint64_t limit = 100;
  bool json = false;
};

std::string fault_json(const Fault& fault) {
  caddis::JsonObject object;
  object.add("fault", to_string(fault.kind)).add("url", fault.url).add("reason", fault.reason);
  if (!fault.crawl.empty()) object.add("crawl", fault.crawl);
  return object.finish();
}

std::string counts_json(const VerifyCounts& counts) {
  caddis::JsonObject object;
  object.add("crawls", counts.crawls)
      .add("expected", counts.expected)
      .add("captured", counts.captured)
      .add("on_record", counts.on_record);
  object.add("records", counts.records).add("revisits", counts.revisits).add("traps", counts.traps);
  for (int i = 0; i < kFaultKinds; ++i)
    object.add(to_string(static_cast<FaultKind>(i)), counts.faults[static_cast<size_t>(i)]);
  return object.finish();
}

std::string counts_text(const VerifyCounts& counts) {
  std::string text = fmt::format(
      "{} URLs expected{}: {} captured, {} on record as the failures they are; {} records, {} of them revisits, {} of "
      "traps\n",
      counts.expected, counts.crawls > 1 ? fmt::format(" in {} crawls", counts.crawls) : "", counts.captured,
      counts.on_record, counts.records, counts.revisits, counts.traps);
  for (int i = 0; i < kFaultKinds; ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", counts.faults[static_cast<size_t>(i)],
                        to_string(static_cast<FaultKind>(i)));
  return text + "\n";
}

caddis::Result<VerifyCounts> verify(const Options& options) {
  TRY(const WebSettings settings, web_settings(options.web));
  caddis::io::Files& files = caddis::io::real_files();
  TRY(const CollectionFiles found, find_collection_files(files, options.folder, options.logs, options.crawl));
  if (found.archives.empty())
    return caddis::fail(caddis::ErrorCode::not_found,
                        fmt::format("{}: no WARC files in it, nor in its folder archive", options.folder));
  const World world(settings);
  uint64_t printed = 0;
  Verifier verifier(world, [&](const Fault& fault) {
    if (printed++ >= options.limit) return;
    if (options.json)
      put(fault_json(fault) + "\n");
    else
      put(fmt::format("{:9} {}  ({}){}{}\n", to_string(fault.kind), fault.url, fault.reason,
                      fault.crawl.empty() ? "" : "  in ", fault.crawl));
  });
  for (const auto& [path, crawl] : found.archives) {
    TRY(const auto file, files.open_read(path));
    if (auto done = verifier.add_archive(*file, crawl); !done) return caddis::pass(std::move(done.error()), path);
  }
  for (const auto& [path, crawl] : found.logs) {
    TRY(const auto file, files.open_read(path));
    if (auto done = verifier.add_log(*file, crawl); !done) return caddis::pass(std::move(done.error()), path);
  }
  for (const auto& [path, crawl] : found.outcome_logs) {
    TRY(const auto lines, caddis::io::TextLines::open(files, path));
    if (auto done = verifier.add_outcomes(*lines, crawl); !done) return caddis::pass(std::move(done.error()), path);
  }
  verifier.finish();
  return verifier.counts();
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("verify",
                                         "Compare a collection with the web: missing, extra, altered, duplicate and "
                                         "forbidden captures, and URLs that are in "
                                         "none of the logs by protocol and by fate, or in two");
  add_web_options(*command, options->web);
  command
      ->add_option("COLLECTION", options->folder,
                   "Folder with archive/*.warc.gz and crawls/*/logs/crawl.log, or of WARC files")
      ->required();
  command->add_option("--log", options->logs, "A crawl.log that lies elsewhere");
  command->add_option("--crawl", options->crawl, "Only the crawl of this name in crawls/; else each by itself");
  command->add_option("--limit", options->limit, "Print at most so many faults")->capture_default_str();
  command->add_flag("--json", options->json, "A line of JSON for each fault, and one with the numbers");
  command->callback([options, &exit_code] {
    const auto counts = verify(*options);
    if (!counts) {
      fmt::print(stderr, "simweb: {}\n", counts.error().message);
      exit_code = counts.error().code == caddis::ErrorCode::config ? 2 : 1;
      return;
    }
    put(options->json ? counts_json(*counts) + "\n" : counts_text(*counts));
    exit_code = counts->all_faults() == 0 ? 0 : 1;
  });
}

}  // namespace simweb
