// caddis status|pause|resume|stop|checkpoint [COLLECTION]: watches and steers a running crawl, and changes its limits;
// looks at one that has ended.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/control/control_client.h"
#include "caddis/control/control_server.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/collection.h"
#include "caddis/io/files.h"
#include "commands.h"

namespace caddis::cli {
namespace {

// A checkpoint writes what the store has in memory, and links its files.
constexpr Duration kPatience = std::chrono::minutes(10);

aio::Task<void> ask_into(aio::Loop& loop, std::string socket, std::string method, std::string path, std::string body,
                         Result<std::string>& answer) {
  answer = co_await control::ask(loop, socket, method, path, body, kPatience);
}

void print_checkpoints(const nlohmann::json& checkpoints) {
  for (const auto& one : checkpoints)
    fmt::print("  {:<12} {} of {}, {}{}\n", "checkpoint", one["name"].get<std::string>(),
               one["time"].get<std::string>(), counted(one["documents"].get<uint64_t>(), "document"),
               one["kept"].get<bool>() ? ", kept" : "");
}

struct ControlOptions {
  std::string collection = ".";
  std::vector<std::string> settings;
  bool json = false;
};

void print_status(const std::string& json) {
  const auto status = nlohmann::json::parse(json);
  const std::string waits = status["waits_for"];
  fmt::print("{}{}{}\n", status["state"].get<std::string>(), waits.empty() ? "" : ": ", waits);
  for (const char* name : {"documents", "bytes", "failed", "excluded", "queued", "visiting", "hosts", "hosts_aside"})
    fmt::print("  {:<12} {}\n", name, status[name].get<uint64_t>());
  fmt::print("  {:<12} {:.1f} now, {:.1f} on average\n", "documents/s", status["documents_per_second"].get<double>(),
             status["documents_per_second_average"].get<double>());
  if (const auto over = status["queued_over_quota"].get<uint64_t>(); over > 0)
    fmt::print("  {} of those queued for a higher quota\n", counted(over, "waits", "wait"));
  for (const auto& limit : status["limits"]) fmt::print("  {}\n", limit["text"].get<std::string>());
  for (const auto& lane : status["standing"]) fmt::print("  {}\n", lane["text"].get<std::string>());
  print_checkpoints(status["checkpoints"]);
}

// "Crawl Name: x" lines as an object; null where the crawl did not end by itself.
nlohmann::json report_as_json(const Result<std::string>& report) {
  if (!report) return nullptr;
  auto object = nlohmann::json::object();
  for (const std::string_view line : split(*report, '\n'))
    if (const size_t colon = line.find(": "); colon != std::string_view::npos)
      object[std::string(line.substr(0, colon))] = line.substr(colon + 2);
  return object;
}

void print_unwritten_end(const crawl::Launch& launch, const std::optional<std::string>& noted) {
  if (!noted)
    fmt::print(
        "it died: killed, or the machine went down. What was committed is safe, and it goes on from there with\n");
  else
    fmt::print(
        "it ended before all was written: {}\n"
        "What was committed until then is safe; what it had fetched since is fetched again. Where the disk is full, "
        "make room first. It goes on with\n",
        noted->empty() ? "its disk took nothing more, and is most likely full" : *noted);
  fmt::print("  caddis crawl --resume --collection {}\n", launch.collection);
}

// What a crawl that has ended left behind.
int look_at_ended(const crawl::Launch& launch, bool as_json) {
  io::Files& files = io::real_files();
  const auto found = crawl::list_checkpoints(files, launch);
  const auto checkpoints =
      nlohmann::json::parse(found ? control::checkpoints_json(found->complete) : std::string("[]"));
  const auto noted = crawl::noted_end(files, launch);
  if (as_json) {
    const nlohmann::json report = report_as_json(files.read_all(launch.reports() + "/crawl-report.txt"));
    const nlohmann::json status = {{"state", report.is_null() ? "interrupted" : "ended"},
                                   {"launch", launch.name},
                                   {"why", noted ? nlohmann::json(*noted) : nlohmann::json(nullptr)},
                                   {"report", report},
                                   {"checkpoints", checkpoints}};
    fmt::print("{}\n", status.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return 0;
  }
  fmt::print("{}: not running\n", launch.name);
  const auto report = files.read_all(launch.reports() + "/crawl-report.txt");
  if (report) fmt::print("{}", *report);
  if (!report || noted) print_unwritten_end(launch, noted);
  print_checkpoints(checkpoints);
  return 0;
}

Result<std::string> ask(const crawl::Launch& launch, const std::string& method, const std::string& path,
                        const std::string& body) {
  const auto loop = aio::make_loop(system_clock());
  Result<std::string> answer;
  aio::run_to_end(*loop, ask_into(*loop, launch.control_socket(), method, path, body, answer));
  return answer;
}

// What is set counts before the crawl goes on.
Result<std::string> steer(const crawl::Launch& launch, const std::string& verb, const ControlOptions& options) {
  if (!options.settings.empty()) {
    TRY([[maybe_unused]] const std::string changed,
        ask(launch, "POST", "/settings", fmt::format("{}\n", fmt::join(options.settings, "\n"))));
  }
  return ask(launch, verb == "status" ? "GET" : "POST", "/" + verb, "");
}

int control(const std::string& verb, const ControlOptions& options) {
  const std::string& collection = options.collection;
  const bool as_json = options.json;
  const auto launch = crawl::latest_launch(io::real_files(), collection);
  if (!launch || !*launch) {
    fmt::print(stderr, "caddis {}: there is no crawl in {}\n", verb, collection);
    return 2;
  }
  const Result<std::string> answer = steer(**launch, verb, options);
  if (!answer && answer.error().code == ErrorCode::not_found && verb == "status")
    return look_at_ended(**launch, as_json);
  if (!answer) {
    fmt::print(stderr, "caddis {}: {}: {}\n", verb, collection, answer.error().message);
    return 1;
  }
  if (as_json)
    fmt::print("{}\n", *answer);
  else
    print_status(*answer);
  return 0;
}

int take_checkpoint(const std::string& collection, const std::string& name, bool as_json) {
  const auto launch = crawl::latest_launch(io::real_files(), collection);
  if (!launch || !*launch) {
    fmt::print(stderr, "caddis checkpoint: there is no crawl in {}\n", collection);
    return 2;
  }
  if (!name.empty() && !crawl::is_checkpoint_name(name)) {
    fmt::print(stderr,
               "caddis checkpoint: a name has up to 64 letters, digits, '.', '_' and '-', and is not 'latest'\n");
    return 2;
  }
  const auto loop = aio::make_loop(system_clock());
  Result<std::string> answer;
  const std::string path = name.empty() ? "/checkpoint" : "/checkpoint?name=" + name;
  aio::run_to_end(*loop, ask_into(*loop, (*launch)->control_socket(), "POST", path, "", answer));
  if (!answer) {
    fmt::print(stderr, "caddis checkpoint: {}: {}\n", collection, answer.error().message);
    return 1;
  }
  if (as_json) {
    fmt::print("{}\n", *answer);
    return 0;
  }
  const auto taken = nlohmann::json::parse(*answer);
  fmt::print("{}: {}, {} queued\n", taken["name"].get<std::string>(),
             counted(taken["documents"].get<uint64_t>(), "document"), counted(taken["queued"].get<uint64_t>(), "URL"));
  return 0;
}

void add_checkpoint(CLI::App& app, int& exit_code) {
  struct Options {
    std::string collection = ".", name;
    bool json = false;
  };
  CLI::App* command = app.add_subcommand("checkpoint", "Keep the state of a running crawl, to go back to");
  auto options = std::make_shared<Options>();
  command->add_option("collection", options->collection, "The folder of the collection");
  command->add_option("--name", options->name, "A name; it is kept for ever then, others only for a while");
  command->add_flag("--json", options->json, "As the crawl itself says it");
  command->callback(
      [options, &exit_code] { exit_code = take_checkpoint(options->collection, options->name, options->json); });
}

void add_verb(CLI::App& app, int& exit_code, const std::string& verb, const std::string& doc) {
  CLI::App* command = app.add_subcommand(verb, doc);
  auto options = std::make_shared<ControlOptions>();
  command->add_option("collection", options->collection, "The folder of the collection");
  command->add_flag("--json", options->json, "As the crawl itself says it");
  if (verb == "resume")
    command
        ->add_option(
            "--set", options->settings,
            "Change a limit, a quota or a bandwidth before, \"limits.max-documents=500\"; also of a crawl that runs")
        ->allow_extra_args(false)
        ->option_text("NAME=VALUE");
  command->callback([options, verb, &exit_code] { exit_code = control(verb, *options); });
}

}  // namespace

void add_control_commands(CLI::App& app, int& exit_code) {
  add_verb(app, exit_code, "status", "What the crawl of a collection is doing");
  add_verb(app, exit_code, "pause", "Begin no new visits");
  add_verb(app, exit_code, "resume", "Go on after a pause");
  add_verb(app, exit_code, "stop", "End the crawl so that it can be resumed");
  add_checkpoint(app, exit_code);
}

}  // namespace caddis::cli
