// caddis seeds remove URL… [--file FILE]: ends seeds of a crawl that runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "asked_crawl.h"
#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/config/seeds.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

struct SeedsArguments {
  std::string collection = ".", file;
  std::vector<std::string> urls;
  bool json = false;
};

// The file, whose lines are looked at here: the crawl does not know where they stand.
Result<std::string> read_list(const std::string& path) {
  TRY(std::string text, io::real_files().read_all(path));
  size_t number = 0;
  for (const std::string_view line : split(without_byte_order_mark(text), '\n')) {
    ++number;
    const std::string_view seed = config::seed_on_line(line);
    if (seed.empty()) continue;
    if (const auto url = config::parse_seed(seed); !url)
      return fail(ErrorCode::parse, fmt::format("{}:{}: {}; no seed was removed", path, number, url.error().message));
  }
  return text;
}

Result<void> remove(const SeedsArguments& arguments) {
  std::string body;
  for (const std::string& url : arguments.urls) body += url + "\n";
  if (!arguments.file.empty()) {
    TRY(const std::string lines, read_list(arguments.file));
    body += without_byte_order_mark(lines);
  }
  TRY(auto crawl, open_asked_crawl(arguments.collection));
  auto answer = crawl.post("/seeds/remove", "", body);
  if (!answer && answer.error().code == ErrorCode::not_found && !crawl.status())
    return fail(ErrorCode::not_found,
                fmt::format("the crawl does not run: resume it (caddis crawl --resume --paused --collection {0}), give "
                            "this command again, and let it go on (caddis resume {0})",
                            crawl.launch().collection));
  if (!answer) return std::unexpected(std::move(answer).error());
  if (arguments.json) {
    fmt::print("{}\n", *answer);
    return {};
  }
  TRY(const auto removed, api::from_json<api::RemovedSeeds>(*answer));
  const uint64_t more = removed.removed - std::min(removed.removed, removed.given);
  fmt::print("{} removed{}\n", counted(removed.removed, "seed"),
             more == 0 ? "" : fmt::format(", {} of them since the others redirect there", more));
  return {};
}

}  // namespace

void add_seeds_commands(CLI::App& app, int& exit_code) {
  CLI::App* seeds = app.add_subcommand("seeds", "The seeds of a crawl that runs")->require_subcommand(1);
  CLI::App* command = seeds->add_subcommand(
      "remove", "End seeds: rules follow them no longer, and what waits for their sake is asked again (all or none)");
  auto arguments = std::make_shared<SeedsArguments>();
  command->add_option("url", arguments->urls, "Seeds, as reports/seeds-report.txt writes them");
  command->add_option("--file", arguments->file, "A file with more of them, one a line")->option_text("FILE");
  command->add_option("--collection", arguments->collection, "The folder of the collection")->capture_default_str();
  command->add_flag("--json", arguments->json, "The answer of the crawl itself (api/openapi.yaml)");
  command->callback([arguments, &exit_code] {
    if (arguments->urls.empty() && arguments->file.empty()) {
      tell("caddis seeds remove: name seeds, or a file of them (--file)\n");
      exit_code = 2;
      return;
    }
    if (const auto removed = remove(*arguments); !removed) {
      tell(fmt::format("caddis seeds remove: {}\n", removed.error().message));
      exit_code = 1;
    }
  });
}

}  // namespace caddis::cli
