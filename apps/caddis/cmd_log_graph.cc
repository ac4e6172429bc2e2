// caddis log graph: the link graph of hosts, domains or pages, from outlinks.jsonl, or from the metadata records of WARC
// files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/collection/launch.h"
#include "caddis/graph/link_graph.h"
#include "caddis/inspect/outlinks.h"
#include "caddis/io/files.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/log_files.h"
#include "caddis/warc/source.h"
#include "log_commands.h"
#include "tell.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

struct GraphArguments {
  std::vector<std::string> inputs;
  std::string of = "hosts", to;
  uint64_t memory = 256 << 20;
};

Result<void> add_log(const std::string& path, graph::LinkGraph& graph) {
  TRY(const auto lines, io::TextLines::open(io::real_files(), path));
  logs::JsonLine line;
  std::string from, to;
  for (;;) {
    TRY(const auto text, lines->next());
    if (!text) return {};
    if (!line.parse(*text)) return fail(ErrorCode::parse, path + " has a line that is no JSON object");
    if (line.raw("from").empty() || line.raw("to").empty()) continue;  // a header
    TRY_VOID(graph.add(line.text("from", from), line.text("to", to)));
  }
}

Result<void> add_archive(const std::string& path, graph::LinkGraph& graph) {
  TRY(const auto file, io::real_files().open_read(path));
  Result<void> added;
  TRY_VOID(inspect::each_outlink(warc::FileSource(*file), [&](const inspect::Outlink& link) {
    added = graph.add(link.page, link.url);
    return added.has_value();
  }));
  return added;
}

// If a launch has no log of its links, the archive may know them: then all of the archive is read, once.
Result<void> add_collection(const std::string& folder, graph::LinkGraph& graph) {
  io::Files& files = io::real_files();
  TRY(const auto launches, collection::launches(files, collection::Layout(folder)));
  bool has_all = !launches.empty();
  std::vector<std::string> logs;
  for (const collection::Launch& launch : launches) {
    TRY(const auto parts, logs::files_of_log(files, collection::outlink_log_of(launch)));
    has_all = has_all && !parts.empty();
    logs.insert(logs.end(), parts.begin(), parts.end());
  }
  if (has_all) {
    for (const std::string& log : logs) TRY_VOID(add_log(log, graph));
    return {};
  }
  TRY(const auto archives, archives_at({folder}));
  for (const std::string& archive : archives) TRY_VOID(add_archive(archive, graph));
  return {};
}

Result<void> make_graph(const GraphArguments& arguments) {
  const auto level = graph::level_named(arguments.of);
  if (!level) return fail(ErrorCode::config, fmt::format("--of {}: hosts, domains or pages", arguments.of));
  TRY(const auto graph, graph::LinkGraph::create(io::real_files(), arguments.to, *level, arguments.memory));
  for (const std::string& input : arguments.inputs) {
    if (!io::real_files().exists(input)) return fail(ErrorCode::not_found, input + " is not there");
    if (io::real_files().is_directory(input))
      TRY_VOID(add_collection(input, *graph));
    else if (input.contains(".jsonl"))
      TRY_VOID(add_log(input, *graph));
    else
      TRY_VOID(add_archive(input, *graph));
  }
  TRY(const auto made, graph->finish());
  tell(fmt::format("{} between {} of {} ({} without a vertex left out): {}.edges.tsv, .vertices, .arcs\n",
                   counted(made.edges, "edge"), counted(made.vertices, "vertex", "vertices"),
                   counted(made.links, "link"), made.left_out, arguments.to),
       stdout);
  return {};
}

}  // namespace

void add_log_graph_command(CLI::App& log, int& exit_code) {
  CLI::App* command = log.add_subcommand("graph", "Make a link graph: an edge list, and files for WebGraph");
  const auto arguments = std::make_shared<GraphArguments>();
  command->add_option("input", arguments->inputs,
                      "A collection, outlinks.jsonl (gzip or not), or WARC files (default: .)");
  command->add_option("--of", arguments->of, "The vertices: hosts, domains or pages")->capture_default_str();
  command->add_option("--to", arguments->to, "The beginning of the names of the files")->required();
  command->add_option("--memory", arguments->memory, "Bytes to sort in at once; the rest waits on disk")
      ->capture_default_str()
      ->check(CLI::Range(uint64_t{1} << 16, uint64_t{1} << 40));
  command->callback([arguments, &exit_code] {
    if (arguments->inputs.empty()) arguments->inputs.emplace_back(".");
    const auto done = make_graph(*arguments);
    if (done) return;
    tell(fmt::format("caddis log graph: {}\n", done.error().message));
    exit_code = 2;
  });
}

}  // namespace caddis::cli
