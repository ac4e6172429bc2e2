// caddis job: lists, makes and steers the jobs of an engine that runs, through its Unix socket.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/percent.h"
#include "engine_commands.h"
#include "engine_socket.h"
#include "tell.h"

namespace caddis::cli {
namespace {

using Json = nlohmann::json;

struct JobCommand {
  std::string folder = "jobs", name, other, profile, checkpoint;
  std::vector<std::string> urls;
  bool json = false, paused = false, as_profile = false, launches = false;
};

int fail_with(const Error& error) {
  tell(fmt::format("caddis job: {}\n", error.message));
  return error.code == ErrorCode::not_found || error.code == ErrorCode::config ? 2 : 1;
}

void print_row(const Json& job) {
  fmt::print("{:<24} {:<20} {:>10} documents  {:>3} launches  {}\n", job.value("name", ""),
             job.value("is_profile", false) ? "profile" : job.value("status", ""), job.value("documents", 0ULL),
             job.value("launch_count", 0ULL), job.value("last_launch", ""));
}

void print_detail(const Json& job) {
  print_row(job);
  fmt::print("  configuration  {}\n", job.value("config_file", ""));
  for (const Json& launch : job.value("launches", Json::array()))
    fmt::print("  launch         {}  {}  {} documents\n", launch.value("name", ""), launch.value("exit", ""),
               launch.value("documents", 0ULL));
  for (const Json& checkpoint : job.value("checkpoints", Json::array()))
    fmt::print("  checkpoint     {}\n", checkpoint.value("name", ""));
  for (const Json& problem : job.value("problems", Json::array()))
    fmt::print("  problem        {}\n", problem.get<std::string>());
  for (const Json& line : job.value("log_tail", Json::array())) fmt::print("  {}\n", line.get<std::string>());
}

int show(const JobCommand& command, const Result<std::string>& answer, void (*print)(const Json&)) {
  if (!answer) return fail_with(answer.error());
  if (command.json) {
    fmt::print("{}\n", *answer);
    return 0;
  }
  const Json json = Json::parse(*answer, nullptr, false);
  if (json.is_object() && !json.empty()) print(json);
  return 0;
}

std::string path_of(const JobCommand& command, std::string_view verb = "") {
  std::string path = "/api/jobs/" + percent_encoded(command.name);
  if (!verb.empty()) path += fmt::format("/{}", verb);
  return path;
}

int list(const JobCommand& command) {
  return show(command, ask_engine(command.folder, "GET", "/api/jobs"), [](const Json& answer) {
    for (const Json& job : answer.value("jobs", Json::array())) print_row(job);
  });
}

int create(const JobCommand& command) {
  std::string urls;
  for (const std::string& url : command.urls) {
    if (!urls.empty()) urls += ',';
    append_json_string(urls, url);
  }
  const std::string body = JsonObject()
                               .add("name", command.name)
                               .add("profile", command.profile)
                               .add("job", command.other)
                               .add_raw("urls", "[" + urls + "]")
                               .finish();
  return show(command, ask_engine(command.folder, "POST", "/api/jobs", body), print_detail);
}

int act(const JobCommand& command, const std::string& verb) {
  std::string query = command.paused ? "?paused=1" : "";
  const std::string_view given = verb == "checkpoint" ? "name" : "checkpoint";
  if (!command.checkpoint.empty())
    query += fmt::format("{}{}={}", query.empty() ? "?" : "&", given, percent_encoded(command.checkpoint));
  std::string body;
  if (verb == "copy") body = JsonObject().add("name", command.other).add("as_profile", command.as_profile).finish();
  if (verb == "delete") body = JsonObject().add("launches", command.launches).finish();
  return show(command, ask_engine(command.folder, "POST", path_of(command, verb) + query, body), print_row);
}

CLI::App* add_verb(CLI::App& job, const std::shared_ptr<JobCommand>& options, const std::string& verb,
                   const std::string& doc, std::function<void()> work) {
  CLI::App* command = job.add_subcommand(verb, doc);
  command->add_option("--jobs", options->folder, "The folder of the engine's jobs")->capture_default_str();
  command->add_flag("--json", options->json, "The engine's answer (api/engine.yaml)");
  if (verb != "list") command->add_option("name", options->name, "The job")->required();
  command->callback(std::move(work));
  return command;
}

}  // namespace

void add_job_commands(CLI::App& app, int& exit_code) {
  CLI::App* job =
      app.add_subcommand("job", "List, make and steer the jobs of an engine that runs")->require_subcommand(1);
  const auto options = std::make_shared<JobCommand>();
  add_verb(*job, options, "list", "All jobs, and how they stand",
           [options, &exit_code] { exit_code = list(*options); });
  add_verb(*job, options, "show", "One job: launches, checkpoints, the end of its log", [options, &exit_code] {
    exit_code = show(*options, ask_engine(options->folder, "GET", path_of(*options)), print_detail);
  });
  CLI::App* made = add_verb(*job, options, "create", "Make a job of a profile, of another job, or of seeds",
                            [options, &exit_code] { exit_code = create(*options); });
  made->add_option("url", options->urls, "Where to begin");
  made->add_option("--profile", options->profile, "One that ships (caddis profiles), or a job that is a profile");
  made->add_option("--from", options->other, "A job whose configuration is taken")->option_text("JOB");
  const std::pair<const char*, const char*> verbs[] = {
      {"build", "Read the configuration, and say what is wrong with it"},
      {"launch", "Begin a crawl; it waits if as many jobs run as may"},
      {"resume", "Go on with the latest crawl"},
      {"pause", "Begin no new visits"},
      {"unpause", "Go on after a pause"},
      {"checkpoint", "Keep the state of the crawl, to go back to"},
      {"terminate", "End the crawl so that it can be resumed"},
      {"teardown", "Forget the crawl that has ended, and the build; its files stay"},
      {"dequeue", "Take a job that waits out of the queue"},
      {"copy", "Make another job with the same configuration"},
      {"delete", "Remove a job"},
  };
  for (const auto& [verb, doc] : verbs) {
    const std::string name = verb;
    CLI::App* command =
        add_verb(*job, options, name, doc, [options, name, &exit_code] { exit_code = act(*options, name); });
    if (name == "launch" || name == "resume") {
      command->add_flag("--paused", options->paused, "Visit nothing until the job is unpaused");
      command->add_option("--checkpoint", options->checkpoint,
                          name == "launch" ? "Begin with what this checkpoint of the latest crawl knows and has waiting"
                                           : "Go back to this checkpoint first; what is newer is moved aside");
    }
    if (name == "checkpoint") command->add_option("--name", options->checkpoint, "A name; such a one is kept for ever");
    if (name == "copy") {
      command->add_option("to", options->other, "The name of the new job")->required();
      command->add_flag("--as-profile", options->as_profile, "It is a profile: made to be copied, and never launched");
    }
    if (name == "delete") command->add_flag("--launches", options->launches, "With all that it has captured");
  }
}

}  // namespace caddis::cli
