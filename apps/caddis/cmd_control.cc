// caddis status|pause|resume|stop|checkpoint [COLLECTION]: watches and steers a running crawl, and changes its limits;
// looks at one that has ended.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "asked_crawl.h"
#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/collection/end_note.h"
#include "caddis/control/crawl_reports.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

struct ControlOptions {
  std::string collection = ".", name;
  std::vector<std::string> settings;
  bool json = false, visits = false;
};

void print_checkpoints(const std::vector<api::Checkpoint>& checkpoints) {
  for (const api::Checkpoint& one : checkpoints)
    fmt::print("  {:<12} {} of {}, {}{}\n", "checkpoint", one.name, one.time, counted(one.documents, "document"),
               one.kept ? ", kept" : "");
}

void print_status(const api::Status& status) {
  const std::pair<const char*, uint64_t> figures[] = {
      {"documents", status.documents}, {"bytes", status.bytes},
      {"failed", status.failed},       {"excluded", status.excluded},
      {"queued", status.queued},       {"visiting", status.visiting},
      {"hosts", status.hosts},         {"hosts_aside", status.hosts_aside}};
  fmt::print("{}{}{}\n", status.state, status.waits_for.empty() ? "" : ": ", status.waits_for);
  for (const auto& [name, value] : figures) fmt::print("  {:<12} {}\n", name, value);
  fmt::print("  {:<12} {:.1f} now, {:.1f} on average\n", "documents/s", status.documents_per_second,
             status.documents_per_second_average);
  if (status.queued_over_quota > 0)
    fmt::print("  {} of those queued for a higher quota\n", counted(status.queued_over_quota, "waits", "wait"));
  if (status.review_runs || status.review_asked > 0)
    fmt::print("  {} asked again since the scope has changed, {} out of it{}\n",
               counted(status.review_asked, "URL that waited was", "URLs that waited were"),
               counted(status.review_left_out, "is", "are"), status.review_runs ? "; more are to come" : "");
  for (const api::LimitUse& limit : status.limits) fmt::print("  {}\n", limit.text);
  for (const api::StandingLane& lane : status.standing) fmt::print("  {}\n", lane.text);
  print_checkpoints(status.checkpoints);
}

void print_visits(const api::RunningVisits& running) {
  fmt::print("{}\n", counted(running.running, "visit runs", "visits run"));
  for (const api::RunningVisit& one : running.visits)
    fmt::print("  {:>8.1f} s  {:<11} for {:>6.1f} s  {}\n", one.seconds, one.step, one.step_seconds, one.url);
  if (running.running > running.visits.size()) fmt::print("  and {} more\n", running.running - running.visits.size());
}

// "crawl name: x" lines by their names.
std::map<std::string, std::string> lines_of(const std::string& report) {
  std::map<std::string, std::string> lines;
  for (const std::string_view line : split(report, '\n'))
    if (const size_t colon = line.find(": "); colon != std::string_view::npos)
      lines.emplace(line.substr(0, colon), line.substr(colon + 2));
  return lines;
}

void print_unwritten_end(const collection::Launch& launch, const std::optional<std::string>& noted) {
  if (!noted)
    fmt::print("it died: killed, or the machine went down. What was committed is safe. It goes on from there with\n");
  else
    fmt::print(
        "it ended before all was written: {}\n"
        "What was committed until then is safe; what it had fetched since is fetched again. If the disk is full, make "
        "room first. It goes on with\n",
        noted->empty() ? "its disk took nothing more, and is most likely full" : *noted);
  fmt::print("  caddis crawl --resume --collection {}\n", launch.collection);
}

// The report of a crawl that came to its end. One that died may have left a report of a moment before.
std::optional<std::string> report_of(const collection::Launch& launch) {
  const auto report = io::real_files().read_all(launch.reports() + "/crawl-report.txt");
  if (!report || !report->contains("\ncrawl status: Finished")) return std::nullopt;
  return *report;
}

// The report and the checkpoints of a crawl that has ended.
void print_ended(const collection::Launch& launch, bool as_json) {
  io::Files& files = io::real_files();
  const auto report = report_of(launch);
  const auto noted = collection::noted_end(files, launch);
  api::StoppedCrawl stopped{.state = report ? "ended" : "interrupted", .launch = launch.name, .why = noted};
  if (report) stopped.report = lines_of(*report);
  if (const auto found = crawl::list_checkpoints(files, launch)) stopped.checkpoints = control::to_api(found->complete);
  if (as_json) {
    fmt::print("{}\n", api::to_json(stopped));
    return;
  }
  fmt::print("{}: not running\n", launch.name);
  if (report) fmt::print("{}", *report);
  if (!report || noted) print_unwritten_end(launch, noted);
  print_checkpoints(stopped.checkpoints);
}

// A crawl that runs has none. So who may read one need not be able to ask the crawl.
bool has_report(const collection::Launch& launch) { return report_of(launch).has_value(); }

int fail_with(std::string_view command, const std::string& collection, const Error& error) {
  tell(fmt::format("caddis {}: {}: {}\n", command, collection, error.message));
  return 1;
}

template <class Document>
int print(std::string_view command, const ControlOptions& options, const std::string& answer,
          void (*print_document)(const Document&)) {
  if (options.json) {
    fmt::print("{}\n", answer);
    return 0;
  }
  const auto document = api::from_json<Document>(answer);
  if (!document) return fail_with(command, options.collection, document.error());
  print_document(*document);
  return 0;
}

std::optional<AskedCrawl> open(std::string_view command, const std::string& collection) {
  auto crawl = open_asked_crawl(collection);
  if (crawl) return *std::move(crawl);
  tell(fmt::format("caddis {}: {}\n", command, crawl.error().message));
  return std::nullopt;
}

int status(const ControlOptions& options) {
  auto crawl = open("status", options.collection);
  if (!crawl) return 2;
  const auto answer = options.visits ? crawl->visits() : crawl->status();
  if (answer && options.visits) return print("status", options, *answer, print_visits);
  if (answer) return print("status", options, *answer, print_status);
  const bool has_ended = answer.error().code == ErrorCode::not_found ||
                         (answer.error().code == ErrorCode::denied && has_report(crawl->launch()));
  if (!has_ended) return fail_with("status", options.collection, answer.error());
  print_ended(crawl->launch(), options.json);
  return 0;
}

// New settings count before the crawl goes on.
Result<std::string> steer(AskedCrawl& crawl, const std::string& verb, const ControlOptions& options) {
  if (!options.settings.empty()) {
    TRY([[maybe_unused]] const std::string changed,
        crawl.post("/settings", "", fmt::format("{}\n", fmt::join(options.settings, "\n"))));
  }
  return crawl.post("/" + verb);
}

int control(const std::string& verb, const ControlOptions& options) {
  auto crawl = open(verb, options.collection);
  if (!crawl) return 2;
  const auto answer = steer(*crawl, verb, options);
  return answer ? print(verb, options, *answer, print_status) : fail_with(verb, options.collection, answer.error());
}

int take_checkpoint(const ControlOptions& options) {
  auto crawl = open("checkpoint", options.collection);
  if (!crawl) return 2;
  if (!options.name.empty() && !crawl::is_checkpoint_name(options.name)) {
    tell("caddis checkpoint: a name has up to 64 letters, digits, '.', '_' and '-', and is not 'latest'\n");
    return 2;
  }
  const auto answer = crawl->post("/checkpoint", query_of({{"name", options.name}}));
  if (!answer) return fail_with("checkpoint", options.collection, answer.error());
  return print<api::Checkpoint>("checkpoint", options, *answer, [](const api::Checkpoint& taken) {
    fmt::print("{}: {}, {} queued\n", taken.name, counted(taken.documents, "document"), counted(taken.queued, "URL"));
  });
}

std::shared_ptr<ControlOptions> add_options(CLI::App& command) {
  auto options = std::make_shared<ControlOptions>();
  command.add_option("collection,--collection", options->collection, "The folder of the collection")
      ->capture_default_str();
  command.add_flag("--json", options->json, "The answer of the crawl itself (api/openapi.yaml)");
  return options;
}

void add_verb(CLI::App& app, int& exit_code, const std::string& verb, const std::string& doc) {
  CLI::App* command = app.add_subcommand(verb, doc);
  auto options = add_options(*command);
  if (verb == "resume")
    command
        ->add_option("--set", options->settings,
                     "Change a setting first, such as limits.max-documents=500 (caddis settings set does more); "
                     "repeatable. The crawl need not be paused")
        ->allow_extra_args(false)
        ->option_text("NAME=VALUE");
  command->callback([options, verb, &exit_code] { exit_code = control(verb, *options); });
}

}  // namespace

void add_control_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("status", "What the crawl of a collection is doing");
  auto watched = add_options(*command);
  command->add_flag("--visits", watched->visits,
                    "The visits that run instead: for how long, at which step, and since when; the longest first");
  command->callback([watched, &exit_code] { exit_code = status(*watched); });
  add_verb(app, exit_code, "pause", "Begin no new visits");
  add_verb(app, exit_code, "resume", "Go on after a pause");
  add_verb(app, exit_code, "stop", "End the crawl so that it can be resumed");
  command = app.add_subcommand("checkpoint", "Keep the state of a running crawl, to go back to");
  auto options = add_options(*command);
  command->add_option("--name", options->name,
                      "A name. A checkpoint with one is kept for ever, others only for a while");
  command->callback([options, &exit_code] { exit_code = take_checkpoint(*options); });
}

}  // namespace caddis::cli
