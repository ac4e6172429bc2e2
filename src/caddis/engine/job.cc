// How a job goes about its work: what must survive the engine stands in job.yaml before anything is done (`keep`), so a
// job that is found again is looked at, never guessed. The process says by the file that it holds locked whether it
// lives; its crawl says by the control API how it stands; and the report of a crawl that has ended says how.

#include "caddis/engine/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/log.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/config/settings_file.h"
#include "caddis/control/api_json.h"
#include "caddis/control/crawl_reports.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/stopped_crawl.h"
#include "caddis/engine/job_config.h"
#include "caddis/io/file_stamp.h"

namespace caddis::engine {
namespace {

constexpr size_t kTailLines = 50;
constexpr size_t kMostOutput = 4096;  // of a process that could not begin, in job.log
constexpr Duration kLookPatience = std::chrono::seconds(2);
constexpr Duration kActionPatience = std::chrono::seconds(30);
constexpr Duration kCheckpointPatience = std::chrono::minutes(10);
constexpr int kOk = 200, kConflict = 409;

std::string failure_in(const std::string& body) {
  const auto failure = control::api::from_json<control::api::Failure>(body);
  return failure ? failure->error : body;
}

ErrorCode code_of(int status) {
  switch (status) {
    case 400:
      return ErrorCode::parse;
    case 404:
      return ErrorCode::not_found;
    case kConflict:
    case 410:
      return ErrorCode::conflict;
    default:
      return ErrorCode::io;
  }
}

// The lines of crawl-report.txt that say how much a launch has done.
void read_report(io::Files& files, const collection::Launch& crawl, LaunchSummary& launch) {
  const auto report = files.read_all(crawl.reports() + "/crawl-report.txt");
  if (!report) return;
  if (const auto stamp = io::stamp_of(files, crawl.reports() + "/crawl-report.txt"))
    launch.ended = rfc3339(stamp->modified);
  for (const std::string_view line : split(*report, '\n')) {
    const auto number = [&](std::string_view name, uint64_t& into) {
      if (!line.starts_with(name)) return;
      const std::string_view value = trim(line.substr(name.size()));
      into = static_cast<uint64_t>(parse_int(value.substr(0, value.find(' '))).value_or(0));
    };
    number("documents:", launch.documents);
    number("total crawled bytes:", launch.bytes);
    number("duplicate-by-hash URIs:", launch.repeated);
    number("duplicate-by-hash crawled bytes:", launch.repeated_bytes);
    number("not-modified URIs:", launch.unchanged);
    number("not-modified crawled bytes:", launch.unchanged_bytes);
  }
}

// The last words of a process, for job.log.
std::string last_output(io::Files& files, const std::string& folder) {
  const auto text = files.read_all(folder + "/output.log", 16 << 20);
  if (!text) return {};
  return text->size() <= kMostOutput ? *text : text->substr(text->size() - kMostOutput);
}

// For the record. Of crawl.yaml the crawl itself keeps one, without secrets.
Result<void> keep_copy_of_cxml(io::Files& files, const JobFolder& folder, const std::string& launch) {
  TRY(const std::string xml, files.read_all(folder.cxml(), 64 << 20));
  return files.write_atomically_private(fmt::format("{}/{}", folder.launch(launch), io::base_name(folder.cxml())), xml);
}

std::string started_of(std::string_view launch) {
  const auto time = parse_timestamp(launch.substr(0, 14));
  return time ? rfc3339(*time) : std::string();
}

// The options of a crawl besides its collection.
Result<std::vector<std::string>> arguments_of(const Job& job, const LaunchRequest& request, io::Files& files) {
  const JobFolder& folder = job.folder();
  std::vector<std::string> arguments;
  if (request.paused) arguments.emplace_back("--paused");
  if (request.resume) {
    arguments.emplace_back("--resume");
    if (!request.checkpoint.empty()) arguments.insert(arguments.end(), {"--checkpoint", request.checkpoint});
    return arguments;
  }
  arguments.insert(arguments.end(), {"--config", settings_file_of(folder), "--set", "crawl.name=" + job.name()});
  if (request.checkpoint.empty()) return arguments;
  TRY(const collection::Launch before, job.crawl());
  TRY(const crawl::Checkpoint checkpoint, crawl::find_checkpoint(files, before, request.checkpoint));
  arguments.insert(arguments.end(), {"--from-checkpoint", crawl::checkpoint_folder(before, checkpoint.name)});
  return arguments;
}

// By which an end that is on record is told from a later one; empty if none is.
std::string stamps_of_end(io::Files& files, const std::optional<collection::Launch>& crawl) {
  std::string stamps;
  if (!crawl) return stamps;
  for (const std::string& path :
       {crawl->reports() + "/crawl-report.txt", crawl->reports() + "/crawl-report.csv", crawl->end_note()})
    if (const auto stamp = io::stamp_of(files, path))
      stamps +=
          fmt::format("{}{}@{}", stamps.empty() ? "" : " ", stamp->size, stamp->modified.time_since_epoch().count());
  return stamps;
}

// Whether the process that was started to resume the launch has died before it went on.
bool never_went_on(const JobRecord& record, const std::string& launch, io::Files& files,
                   const std::optional<collection::Launch>& crawl) {
  return launch == record.launch && !record.end_before.empty() && record.end_before == stamps_of_end(files, crawl);
}

// The words with which a launch has ended. Nothing: it died, or was killed; its report may be written by then, but not
// all that comes after it.
std::optional<std::string> end_of(const JobRecord& record, const std::string& launch, io::Files& files,
                                  const std::optional<collection::Launch>& crawl) {
  if (!crawl || was_killed(record, launch) || never_went_on(record, launch, files, crawl)) return std::nullopt;
  return crawl::recorded_end(files, *crawl);
}

std::string words_of_kill(Duration longest) {
  return fmt::format(
      "has not ended within {} of being asked to: its process is killed; resume goes on from what it has "
      "committed",
      format_duration(longest));
}

}  // namespace

Job::Job(const JobWorld& world, std::string name, std::string path)
    : world_(world), name_(std::move(name)), folder_(world.files, std::move(path)) {
  auto read = read_record(world_.files, folder_.record());
  if (read)
    record_ = *std::move(read);
  else
    note("WARNING", fmt::format("{}; the job begins as if it were new", read.error().message));
  must_ask_end_ = record_.is_ending;
  summary_.name = name_;
  summary_.is_profile = record_.is_profile;
  if (!record_.launch.empty())
    set_state(record_.is_ending ? JobState::stopping : JobState::preparing);
  else
    set_state(record_.ticket > 0 ? JobState::queued : record_.is_built ? JobState::ready : JobState::unbuilt);
  // The clock of the engine that has asked it is unknown here: it has the whole time again.
  if (record_.is_ending) end_wait_.begin(world_.clock.steady(), world_.longest_end);
  look();
}

JobSummary Job::summary() const {
  const std::scoped_lock lock(seen_);
  return summary_;
}

JobRecord Job::record() const {
  const std::scoped_lock lock(seen_);
  return record_;
}

JobDetail Job::detail() const {
  JobDetail detail;
  {
    const std::scoped_lock lock(seen_);
    static_cast<JobSummary&>(detail) = summary_;
    detail.crawl_json = crawl_json_;
    detail.problems = problems_;
  }
  detail.is_cxml = folder_.is_cxml();
  detail.config_file = folder_.config_file();
  detail.log_tail = folder_.log_tail(kTailLines);
  const JobRecord kept = record();
  const std::string running = is_active(detail.state) ? kept.launch : std::string();
  for (const std::string& name : folder_.launches()) {
    LaunchSummary& launch = detail.launches.emplace_back();
    launch.name = name;
    launch.started = started_of(name);
    const auto crawl = folder_.crawl_of(name);
    if (name == running) {
      launch.documents = detail.documents;
      launch.bytes = detail.bytes;
    } else {
      launch.exit = name_of(exit_of(end_of(kept, name, world_.files, crawl)));
      if (crawl) read_report(world_.files, *crawl, launch);
    }
  }
  if (detail.launches.empty()) return detail;
  if (const auto latest = folder_.crawl_of(detail.launches.back().name))
    if (const auto found = crawl::list_checkpoints(world_.files, *latest))
      detail.checkpoints = control::to_api(found->complete);
  return detail;
}

Result<collection::Launch> Job::crawl() const {
  TRY(const std::string launch, folder_.find_launch("latest"));
  if (auto crawl = folder_.crawl_of(launch)) return *std::move(crawl);
  return fail(ErrorCode::not_found, fmt::format("the launch {} of job '{}' has not begun", launch, name_));
}

Result<void> Job::require(JobAction action) const {
  const JobSummary now = summary();
  if (std::ranges::count(now.actions, action) > 0) return {};
  return fail(ErrorCode::conflict,
              fmt::format("job '{}' is {}{}: it cannot be asked to {} now", name_, to_lower(name_of(now.state)),
                          now.is_profile ? ", and a profile" : "", name_of(action)));
}

Result<void> Job::keep(const JobRecord& record) {
  TRY_VOID(write_record(world_.files, folder_.record(), record));
  const std::scoped_lock lock(seen_);
  record_ = record;
  return {};
}

void Job::set_state(JobState state, ExitStatus exit) {
  const std::vector<std::string> launches = folder_.launches();
  const std::scoped_lock lock(seen_);
  summary_.state = state;
  summary_.exit = exit;
  summary_.launch_count = launches.size();
  summary_.last_launch = launches.empty() ? "" : launches.back();
  summary_.is_profile = record_.is_profile;
  summary_.actions = actions_in(state, record_.is_profile, !launches.empty());
  if (is_active(state)) return;
  summary_.documents_per_second = 0;
  crawl_json_.clear();
}

void Job::note(std::string_view level, std::string_view text) const {
  folder_.write_log(world_.clock.wall(), level, text);
}

Result<void> Job::build() {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(JobAction::build));
  return build_now();
}

Result<void> Job::build_now() {
  std::vector<std::string> problems;
  if (!folder_.has_config())
    problems.push_back(fmt::format("{} has neither crawl.yaml nor crawler-beans.cxml", folder_.path()));
  if (problems.empty() && folder_.is_cxml()) {
    const auto imported = import_cxml(world_.files, folder_);
    if (!imported) problems.push_back(imported.error().message);
    if (imported)
      for (const std::string& line : *imported) note("INFO", line);
  }
  if (problems.empty()) problems = obstacles_in(check_config(world_, settings_file_of(folder_)));
  for (const std::string& problem : problems) note("SEVERE", problem);
  const bool is_good = problems.empty();
  const std::string first = is_good ? "" : problems.front();
  {
    const std::scoped_lock lock(seen_);
    problems_ = std::move(problems);
  }
  JobRecord next = record();
  next.is_built = is_good;
  next.launch.clear();
  next.is_ending = false;
  TRY_VOID(keep(next));
  set_state(is_good ? JobState::ready : JobState::unbuilt);
  if (!is_good) return fail(ErrorCode::config, first);
  note("INFO", "built");
  return {};
}

Result<void> Job::write_config(std::string_view yaml, std::string_view actor) {
  const std::scoped_lock lock(action_);
  TRY_VOID(world_.files.write_atomically_private(folder_.yaml(), yaml));
  note("INFO", fmt::format("the configuration was changed by {}", actor));
  JobRecord next = record();
  if (!next.is_built) return {};
  next.is_built = false;
  TRY_VOID(keep(next));
  if (summary().state == JobState::ready) set_state(JobState::unbuilt);
  return {};
}

Result<void> Job::launch(const LaunchRequest& request, const Grant& grant) {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(request.resume ? JobAction::resume : JobAction::launch));
  return begin(request, grant);
}

Result<void> Job::begin(const LaunchRequest& request, const Grant& grant) {
  if (!request.resume && !record().is_built) TRY_VOID(build_now());
  JobRecord next = record();
  std::vector<std::string> arguments;
  if (request.resume) {
    TRY(next.launch, folder_.find_launch("latest"));
    TRY(arguments, arguments_of(*this, request, world_.files));
  } else {
    // There is no folder before all that can fail is done.
    TRY(arguments, arguments_of(*this, request, world_.files));
    TRY(next.launch, folder_.make_launch(world_.clock.wall()));
    if (folder_.is_cxml()) TRY_VOID(keep_copy_of_cxml(world_.files, folder_, next.launch));
  }
  arguments.insert(arguments.begin(), {"crawl", "--collection", folder_.launch(next.launch), "--share-hosts",
                                       io::parent_path(folder_.path()) + "/.hosts"});
  for (const std::string& setting : grant.settings) arguments.insert(arguments.end(), {"--set", setting});
  next.memory = grant.memory;
  next.ticket = 0;
  next.request = {};
  next.is_ending = must_ask_end_ = false;
  next.end_before = request.resume ? stamps_of_end(world_.files, folder_.crawl_of(next.launch)) : "";
  set_killed(next, next.launch, false);
  end_wait_.clear();
  TRY_VOID(keep(next));
  set_state(JobState::preparing);
  {
    const std::scoped_lock lock(seen_);
    summary_.documents = summary_.bytes = summary_.alerts = 0;
  }
  (void)folder_.link(next.launch);
  note("INFO", fmt::format("{} {}", request.resume ? "resumed" : "launched", next.launch));
  const auto started = world_.start({.folder = folder_.launch(next.launch), .arguments = arguments});
  if (started) return {};
  note("SEVERE", fmt::format("the crawl could not be started: {}", started.error().message));
  set_state(JobState::finished, ExitStatus::abnormal);
  return std::unexpected(started.error());
}

Result<void> Job::enqueue(const LaunchRequest& request, uint64_t ticket) {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(request.resume ? JobAction::resume : JobAction::launch));
  if (!request.resume && !record().is_built) TRY_VOID(build_now());
  JobRecord next = record();
  next.launch.clear();
  next.is_ending = false;
  next.ticket = ticket;
  next.request = request;
  TRY_VOID(keep(next));
  set_state(JobState::queued);
  note("INFO", "waits for its turn");
  return {};
}

Result<void> Job::launch_waiting(const Grant& grant) {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(JobAction::dequeue));
  const LaunchRequest request = record().request;
  const auto begun = begin(request, grant);
  if (begun || summary().state != JobState::queued) return begun;
  // It would be tried again and again.
  JobRecord next = record();
  next.ticket = 0;
  TRY_VOID(keep(next));
  note("SEVERE", fmt::format("it was its turn, but the crawl could not be launched: {}", begun.error().message));
  set_state(next.is_built ? JobState::ready : JobState::unbuilt);
  return begun;
}

Result<void> Job::dequeue() {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(JobAction::dequeue));
  JobRecord next = record();
  next.ticket = 0;
  next.request = {};
  TRY_VOID(keep(next));
  set_state(next.is_built ? JobState::ready : JobState::unbuilt);
  note("INFO", "taken out of the queue");
  return {};
}

Result<void> Job::pause() {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(JobAction::pause));
  TRY(const std::string status, ask({.method = "POST", .target = "/pause"}, kActionPatience));
  note("INFO", "paused");
  take_status(status);
  return {};
}

Result<void> Job::unpause() {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(JobAction::unpause));
  TRY(const std::string status, ask({.method = "POST", .target = "/resume"}, kActionPatience));
  note("INFO", "goes on");
  take_status(status);
  return {};
}

Result<CheckpointTaken> Job::checkpoint(const std::string& name) {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(JobAction::checkpoint));
  const std::string target = name.empty() ? "/checkpoint" : "/checkpoint?name=" + percent_encoded(name);
  TRY(const std::string answer, ask({.method = "POST", .target = target}, kCheckpointPatience));
  TRY(const auto taken, control::api::from_json<control::api::Checkpoint>(answer));
  note("INFO", "checkpoint " + taken.name);
  return CheckpointTaken{taken.name};
}

Result<void> Job::terminate() {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(JobAction::terminate));
  note("INFO", "asked to end");
  // An engine after this one has to know it. A full disk is no reason to let the crawl go on.
  JobRecord next = record();
  next.is_ending = true;
  if (const auto kept = keep(next); !kept) log_warn("engine", "job '{}': {}", name_, kept.error().message);
  end_wait_.begin(world_.clock.steady(), world_.longest_end);
  const auto answer = ask({.method = "POST", .target = "/stop"}, kActionPatience);
  // One that does not listen yet, or no more, is told by a signal.
  if (!answer) world_.end(folder_.launch(record().launch), false);
  set_state(JobState::stopping);
  return {};
}

Result<void> Job::teardown() {
  const std::scoped_lock lock(action_);
  TRY_VOID(require(JobAction::teardown));
  JobRecord next = record();
  next.is_built = next.is_ending = false;
  next.launch.clear();
  TRY_VOID(keep(next));
  {
    const std::scoped_lock seen(seen_);
    problems_.clear();
    summary_.documents = summary_.bytes = summary_.alerts = 0;
  }
  set_state(JobState::unbuilt);
  note("INFO", "torn down");
  return {};
}

Result<std::string> Job::socket() const {
  const std::string launch = record().launch;
  if (launch.empty() || !is_active(summary().state))
    return fail(ErrorCode::conflict, fmt::format("job '{}' does not run", name_));
  if (const auto crawl = folder_.crawl_of(launch)) return crawl->control_socket();
  return fail(ErrorCode::conflict, fmt::format("job '{}' is being prepared", name_));
}

Result<std::string> Job::ask(const control::Question& question, Duration patience) const {
  TRY(const std::string address, socket());
  auto answer = world_.ask(address, question, patience);
  if (!answer && answer.error().code == ErrorCode::not_found)
    return fail(ErrorCode::conflict, fmt::format("the crawl of job '{}' does not answer", name_));
  if (!answer) return std::unexpected(std::move(answer).error());
  if (answer->status == kOk) return std::move(answer->body);
  return fail(code_of(answer->status), failure_in(answer->body));
}

uint64_t Job::count_alerts(const collection::Launch& crawl) {
  const auto log = world_.files.open_read(crawl.logs() + "/alerts.log");
  const uint64_t size = log ? (*log)->size().value_or(0) : 0;
  const std::scoped_lock lock(seen_);
  if (size == alert_bytes_) return summary_.alerts;
  alert_bytes_ = size;
  constexpr uint64_t kMost = 1 << 20;
  const auto text = world_.files.read_all(crawl.logs() + "/alerts.log", kMost);
  return text ? static_cast<uint64_t>(std::ranges::count(*text, '\n')) : summary_.alerts;
}

void Job::take_status(const std::string& json) {
  const auto status = control::api::from_json<control::api::Status>(json);
  if (!status) return;
  // One that was asked to end may say for a moment that it runs.
  const JobState now = summary().state;
  const JobState told = state_of_crawl(status->state, status->visiting);
  const auto found = crawl();
  const uint64_t alerts = found ? count_alerts(*found) : 0;
  {
    const std::scoped_lock lock(seen_);
    summary_.documents = status->documents;
    summary_.bytes = status->bytes;
    summary_.documents_per_second = status->documents_per_second;
    summary_.alerts = alerts;
    crawl_json_ = json;
  }
  // Last: whoever reads the state finds the numbers that belong to it.
  if (told != now && now != JobState::stopping) set_state(told);
}

void Job::see_end() {
  const JobRecord kept = record();
  const std::string& launch = kept.launch;
  (void)folder_.link(launch);
  const auto crawl = folder_.crawl_of(launch);
  const auto words = end_of(kept, launch, world_.files, crawl);
  const std::string_view how = was_killed(kept, launch) ? "was killed before it had ended" : "died";
  if (!crawl || never_went_on(kept, launch, world_.files, crawl))
    note("SEVERE", fmt::format("the crawl did not {}: {}", crawl ? "go on" : "begin",
                               last_output(world_.files, folder_.launch(launch))));
  else
    note(words ? "INFO" : "SEVERE",
         words ? *words : fmt::format("the crawl {}; resume goes on from what it has committed", how));
  if (crawl) {
    LaunchSummary end;
    read_report(world_.files, *crawl, end);
    const uint64_t alerts = count_alerts(*crawl);
    const std::scoped_lock lock(seen_);
    summary_.documents = std::max(summary_.documents, end.documents);
    summary_.bytes = std::max(summary_.bytes, end.bytes);
    summary_.alerts = alerts;
  }
  // Last: whoever reads the state finds the numbers that belong to it.
  set_state(JobState::finished, exit_of(words));
}

bool Job::look() {
  const JobSummary before = summary();
  if (!is_active(before.state)) return false;
  const std::string launch = record().launch;
  if (launch.empty()) return false;
  // An action that is being done changes the state itself, and waits for the crawl.
  const std::unique_lock lock(action_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  if (!world_.lives(folder_.launch(launch))) {
    see_end();
    return true;
  }
  if (end_wait_.is_over(world_.clock.steady())) {
    const std::string text = words_of_kill(world_.longest_end);
    note("WARNING", text);
    log_warn("engine", "job '{}' {}", name_, text);
    JobRecord next = record();
    set_killed(next, launch, true);
    if (const auto kept = keep(next); !kept) {
      // On a full disk this engine knows it at least.
      log_warn("engine", "job '{}': {}", name_, kept.error().message);
      const std::scoped_lock seen(seen_);
      record_ = next;
    }
    world_.end(folder_.launch(launch), true);
    return true;
  }
  if (linked_ != launch && folder_.link(launch)) linked_ = launch;
  // One that hangs is not waited for at each look.
  constexpr int kLooks = 16;
  if (unanswered_ > 0 && unanswered_ < kLooks) {
    ++unanswered_;
    return false;
  }
  unanswered_ = 0;
  const auto address = socket();
  // Never by a signal: the second one ends a crawl at once.
  if (must_ask_end_ && address && world_.ask(*address, {.method = "POST", .target = "/stop"}, kLookPatience))
    must_ask_end_ = false;
  const auto answer = address ? world_.ask(*address, {.method = "GET", .target = "/status"}, kLookPatience)
                              : Result<control::SocketAnswer>(fail(ErrorCode::not_found, ""));
  if (answer && answer->status == kOk)
    take_status(answer->body);
  else if (!answer && answer.error().code == ErrorCode::timeout)
    unanswered_ = 1;
  return summary() != before;
}

}  // namespace caddis::engine
