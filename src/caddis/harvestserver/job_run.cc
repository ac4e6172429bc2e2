// The steps: `prepare` fetches the files and launches; `watch` looks while the crawl runs; `finish` hands over its files,
// documents the job and tells the end. Handing over is tried again for a day; then the job has failed to be uploaded, its files
// stay in oldjobs/, and the server is told that.

#include "caddis/harvestserver/job_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/percent.h"
#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/cdx/indexer.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/control/json_reader.h"
#include "caddis/harvest/harvest_info.h"
#include "caddis/harvest/job_files.h"
#include "caddis/harvest/job_statistics.h"
#include "caddis/harvest/metadata_file.h"
#include "caddis/harvestserver/command_words.h"
#include "caddis/harvestserver/job_fetch.h"
#include "caddis/harvestserver/store.h"
#include "caddis/io/links.h"

namespace caddis::harvestserver {
namespace {

constexpr size_t kPiece = 8 << 20;
constexpr int kMostResumes = 3;
constexpr int kMostUploads = 144;  // every ten minutes, for a day
constexpr Duration kUploadPause = std::chrono::minutes(10);
constexpr int kMostAttempts = 5;  // to prepare a job, or to count what it has brought
constexpr Duration kAttemptPause = std::chrono::minutes(1);
constexpr size_t kMostDetails = 20'000;
constexpr Duration kRefusalPause = std::chrono::seconds(10);  // a harvester that cannot take over gives back in less

bool is_good_end(engine::ExitStatus exit) {
  return exit != engine::ExitStatus::abnormal && exit != engine::ExitStatus::none;
}

std::string tail_of(std::string text) {
  return text.size() <= kMostDetails ? text : text.substr(text.size() - kMostDetails);
}

// The files of a crawl that go into the archive, with their kinds.
Result<std::vector<std::pair<std::string, std::string>>> brought(io::Files& files, const collection::Launch& launch) {
  std::vector<std::pair<std::string, std::string>> found;
  TRY(const auto archives, files.list(launch.archive()));
  for (const io::DirectoryEntry& entry : archives)
    if (!entry.is_directory && cdx::is_archive_name(entry.name) && !entry.name.ends_with(collection::kOpenSuffix))
      found.emplace_back(launch.archive() + "/" + entry.name, "warc");
  if (files.exists(launch.index())) found.emplace_back(launch.index(), "index");
  if (files.exists(launch.digests())) found.emplace_back(launch.digests(), "digests");
  return found;
}

std::string sample_of(const engine::JobSummary& summary, const std::string& crawl_json) {
  return JsonObject()
      .add("state", name_of(summary.state))
      .add("documents", summary.documents)
      .add("bytes", summary.bytes)
      .add("documents_per_second", summary.documents_per_second)
      .add("alerts", summary.alerts)
      .add_raw("crawl", crawl_json.empty() ? "null" : crawl_json)
      .finish();
}

// True for files that may hold passwords of sites.
bool is_configuration(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".cxml") || name.ends_with(".xml");
}

// The server will say the same when it is asked again.
bool is_refusal(const Error& why) {
  return why.code == ErrorCode::denied || why.code == ErrorCode::conflict || why.code == ErrorCode::not_found ||
         why.code == ErrorCode::parse;
}

// The files of a crawl go into the archive, also if nobody knows how much it has brought.
void set_uncounted(GivenEnd& end, const Error& why) {
  end.end.is_done = false;
  end.otherwise = harvest::StopReason::unfinished;
  if (end.end.errors.harvest.empty()) end.end.errors.harvest = "what it has brought could not be counted";
  std::string& details = end.end.errors.harvest_details;
  details = details.empty() ? why.message : fmt::format("{}\n{}", why.message, details);
}

std::string own_path(const std::string& harvester, int64_t job) {
  return fmt::format("/api/harvesters/{}/jobs/{}", percent_encoded(harvester), job);
}

}  // namespace

JobRun::JobRun(const engine::JobWorld& world, engine::Jobs& jobs, const ServerLink& link,
               const HarvesterOptions& options, Order order)
    : world_(world),
      jobs_(jobs),
      link_(link),
      options_(options),
      order_(std::move(order)),
      questions_(world.files, world.clock, link, own_path(options.name, order_.job), options.wish_interval) {}

std::string JobRun::path(std::string_view verb) const {
  return fmt::format("{}/{}", own_path(options_.name, order_.job), verb);
}

Result<std::shared_ptr<engine::Job>> JobRun::find() const { return jobs_.find(std::to_string(order_.job)); }

Result<bool> JobRun::step() {
  TRY(const auto job, find());
  job->look();
  if (refused_since_ && fate_ == Fate::open && world_.clock.steady() < next_progress_) return false;
  const engine::JobSummary summary = job->summary();
  if (summary.launch_count == 0) {
    TRY_VOID(prepare());
    return is_over_;
  }
  if (engine::is_active(summary.state)) {
    auto watched = watch(*job);
    if (fate_ == Fate::open && job->summary().state != engine::JobState::preparing)
      questions_.step(questioned(*job, false));
    TRY_VOID(std::move(watched));
    return false;
  }
  if (refused_since_ && fate_ == Fate::open) {
    TRY(const auto told, tell_progress(*job, true));
    if (!told && fate_ == Fate::open) return false;
  }
  TRY(const bool goes_on, go_on_after_death(*job));
  if (goes_on) return false;
  TRY_VOID(finish(*job));
  return is_over_;
}

// Heeds the server and people while the crawl is not launched. False if it is not to be launched now.
Result<bool> JobRun::may_begin(engine::Job& job) {
  const SteadyTime now = world_.clock.steady();
  if (now < next_wishes_ && !refused_since_) return true;
  next_wishes_ = now + options_.wish_interval;
  TRY(const auto told, tell_progress(job, false));
  if (!told && fate_ != Fate::open) TRY_VOID(put_away(true));
  if (!told) return false;
  TRY(const harvest::JobWishes wishes, read_wishes(*told));
  if (wishes.wish != "stop") return true;
  TRY_VOID(end_unbegun("it was stopped before its crawl began", ""));
  return false;
}

// Domains of such a job stay due in the next step of a snapshot.
Result<void> JobRun::end_unbegun(std::string_view why, const std::string& details) {
  GivenEnd end;
  end.end.errors.harvest = why;
  end.end.errors.harvest_details = details;
  end.otherwise = harvest::StopReason::time_limit;
  TRY_VOID(tell_end(end));
  return put_away(true);
}

// While the server can be reached, a failure that lasts ends the job.
Result<void> JobRun::prepare() {
  TRY(const auto job, find());
  TRY(const bool may, may_begin(*job));
  if (!may || world_.clock.steady() < attempts_.next) return {};
  const auto begun = begin(*job);
  if (begun || is_over_ || engine::is_active(job->summary().state)) return begun;
  attempts_.next = world_.clock.steady() + options_.wish_interval;
  next_wishes_ = {};
  TRY(const bool is_wanted, may_begin(*job));
  if (!is_wanted) return {};
  attempts_.next = world_.clock.steady() + kAttemptPause;
  log_warn("harvester", "job {} cannot begin: {}", order_.job, begun.error().message);
  const bool is_hopeless = begun.error().code == ErrorCode::not_found || begun.error().code == ErrorCode::parse;
  if (++attempts_.failed < kMostAttempts && !is_hopeless) return {};
  return end_unbegun(is_hopeless ? "its files could not be had" : "it could not be prepared", begun.error().message);
}

Result<void> JobRun::begin(engine::Job& job) {
  TRY(const std::string folder, io::real_path(job.folder().path()));
  JobFetch fetch(world_, link_, options_.name, order_);
  const auto goes_on = [&] { return may_begin(job); };
  TRY(const bool is_fetched, fetch.fetch(folder, attempts_.failed + 1 >= kMostAttempts, goes_on));
  if (!is_fetched) return {};
  if (!fetch.trouble().words.empty()) {
    job.note("WARNING", fetch.trouble().words);
    TRY_VOID(fetch.tell_trouble());
  }
  // That may have taken its time: somebody else may have the job by now.
  next_wishes_ = {};
  TRY(const bool may, may_begin(job));
  if (!may) return {};
  TRY(const std::string yaml, world_.files.read_all(folder + "/crawl.yaml"));
  TRY_VOID(job.write_config(yaml, "harvester " + options_.name));
  const auto launched = jobs_.perform(job.name(), {.action = engine::JobAction::launch, .launch = {}, .name = {}});
  if (!launched) return end_unbegun("the crawl could not be started", launched.error().message);
  attempts_ = {};
  return tell_start(job);
}

// A job of seconds has ended before its next progress is due. If the server cannot be told now, it is told at the next step.
Result<void> JobRun::tell_start(engine::Job& job) {
  const auto told = tell_progress(job, true);
  if (told) return *told ? take_wishes(job, **told) : Result<void>();
  next_progress_ = {};
  return std::unexpected(told.error());
}

// Returns as JSON what people want of the job; nothing if the server says that it is not with this harvester.
Result<std::optional<std::string>> JobRun::tell_progress(engine::Job& job, bool is_started) {
  next_progress_ = world_.clock.steady() + options_.progress_interval;
  const engine::JobSummary summary = job.summary();
  const std::string crawl = engine::is_active(summary.state) ? job.detail().crawl_json : std::string();
  auto told = ask(
      link_,
      {.method = "POST", .target = path("progress"), .body = progress_json({is_started, sample_of(summary, crawl)})});
  if (told) {
    refused_since_.reset();
    return std::optional(*std::move(told));
  }
  if (told.error().code != ErrorCode::conflict && told.error().code != ErrorCode::not_found)
    return std::unexpected(std::move(told).error());
  TRY_VOID(bear_refusal(job, told.error()));
  return std::optional<std::string>();
}

// Another harvester that has taken the job gives it back when it finds the folder locked: until the server says that the job
// has ended, its folder stays where it is, and its crawl can go on.
Result<void> JobRun::bear_refusal(engine::Job& job, const Error& why) {
  const SteadyTime now = world_.clock.steady();
  next_progress_ = now + std::min<Duration>(options_.progress_interval, kRefusalPause);
  if (!refused_since_) {
    refused_since_ = now;
    log_warn("harvester", "job {}: {}", order_.job, why.message);
  }
  const bool is_long = now - *refused_since_ > 2 * kRefusalPause;
  const bool is_active = engine::is_active(job.summary().state);
  TRY(const auto standing, ask_standing());
  const auto state = standing ? std::optional(standing->state) : std::nullopt;
  if (state ? harvest::is_running(*state) : !is_long)
    return is_long && is_active ? follow(job, "pause") : Result<void>();
  fate_ = !is_active && state == harvest::JobState::done                ? Fate::delivered
          : state == harvest::JobState::failed && standing->takes_files ? Fate::given_up
                                                                        : Fate::lost;
  return is_active ? follow(job, "stop") : Result<void>();
}

// Returns nothing if the server does not know the job.
Result<std::optional<JobRun::Standing>> JobRun::ask_standing() const {
  const auto told = ask(link_, {.method = "GET", .target = own_path(options_.name, order_.job)});
  if (!told && told.error().code == ErrorCode::not_found) return std::optional<Standing>();
  if (!told) return std::unexpected(told.error());
  control::JsonReader json(*told);
  std::string state;
  Standing standing;
  json.take("state", state);
  json.take("takes_files", standing.takes_files);
  const auto named = harvest::state_named(state);
  if (!named) return std::optional<Standing>();
  standing.state = *named;
  return std::optional(standing);
}

Result<void> JobRun::watch(engine::Job& job) {
  const SteadyTime now = world_.clock.steady();
  if (now < next_progress_) return now < next_wishes_ ? Result<void>() : look_at_wishes(job);
  if (fate_ != Fate::open) {
    next_progress_ = now + options_.progress_interval;
    return follow(job, "stop");
  }
  TRY(const auto told, tell_progress(job, true));
  return told ? take_wishes(job, *told) : Result<void>();
}

Result<void> JobRun::look_at_wishes(engine::Job& job) {
  next_wishes_ = world_.clock.steady() + options_.wish_interval;
  if (fate_ != Fate::open) return {};
  const auto told = ask(link_, {.method = "GET", .target = path("wishes")});
  if (told) return take_wishes(job, *told);
  // The next progress finds out what that means.
  if (told.error().code == ErrorCode::conflict) next_progress_ = {};
  return {};
}

Result<void> JobRun::take_wishes(engine::Job& job, const std::string& json) {
  next_wishes_ = world_.clock.steady() + options_.wish_interval;
  TRY(const harvest::JobWishes wishes, read_wishes(json));
  // A crawl that is being prepared can be ended, and nothing else: whatever people ask waits until it listens.
  if (job.summary().state == engine::JobState::preparing && wishes.wish != "stop") return {};
  auto followed = follow(job, wishes.wish);
  questions_.take(questioned(job, false), wishes.questions);
  const auto changed = change_settings(job, wishes.settings);
  const std::string problem = changed ? std::string() : changed.error().message;
  if (!problem.empty() && problem != settings_problem_)
    log_warn("harvester", "job {}: its limits were not changed: {}", order_.job, problem);
  settings_problem_ = problem;
  return followed;
}

// Once, also if this process ends in between: the crawl keeps them.
Result<void> JobRun::change_settings(const engine::Job& job, const std::string& settings) const {
  const std::string applied = job.folder().path() + "/live-settings";
  const auto before = world_.files.read_all(applied, 1 << 20);
  if (settings == (before ? *before : std::string())) return {};
  const std::string actor = "harvester " + options_.name;
  TRY_VOID(job.ask({.method = "POST", .target = "/settings", .body = settings, .actor = actor}));
  TRY(const std::string yaml, world_.files.read_all(job.folder().yaml()));
  for (const harvest::SheetChange& change : harvest::live_limits_of_sheets(yaml, settings)) {
    const std::string target = "/settings?" + control::query_of({{"sheet", change.sheet}});
    TRY_VOID(job.ask({.method = "POST", .target = target, .body = change.settings, .actor = actor}));
  }
  job.note("INFO", "limits were changed");
  return world_.files.write_atomically(applied, settings);
}

Result<void> JobRun::follow(engine::Job& job, const std::string& wish) {
  if (!wish_) {
    const engine::JobState state = job.summary().state;
    wish_ = state == engine::JobState::paused || state == engine::JobState::pausing ? "pause" : "";
  }
  if (wish == *wish_) return {};
  const auto act = [&](engine::JobAction action) {
    return jobs_.perform(job.name(), {.action = action, .launch = {}, .name = {}});
  };
  if (wish == "stop") TRY_VOID(act(engine::JobAction::terminate));
  if (wish == "pause") TRY_VOID(act(engine::JobAction::pause));
  if (wish.empty() && *wish_ == "pause") TRY_VOID(act(engine::JobAction::unpause));
  wish_ = wish;
  return {};
}

QuestionedCrawl JobRun::questioned(const engine::Job& job, bool has_ended) const {
  return {job.folder().path(),
          [&job](const control::Question& question, Duration patience) { return job.ask(question, patience); },
          [&job] { return job.crawl(); }, has_ended};
}

// A crawl that has died is resumed from what it had committed, a few times.
Result<bool> JobRun::go_on_after_death(engine::Job& job) {
  if (fate_ != Fate::open || is_good_end(job.summary().exit) || !job.crawl()) return false;
  const std::string counter = job.folder().path() + "/resumes";
  const auto before = world_.files.read_all(counter, 64);
  const int64_t count = before ? parse_int(trim(*before)).value_or(0) : 0;
  if (count >= kMostResumes) return false;
  TRY_VOID(world_.files.write_atomically(counter, std::to_string(count + 1)));
  const auto resumed =
      jobs_.perform(job.name(), {.action = engine::JobAction::resume, .launch = {.resume = true}, .name = {}});
  if (!resumed) log_warn("harvester", "job {} cannot go on: {}", order_.job, resumed.error().message);
  wish_ = "";
  return resumed.has_value();
}

// The path of the metadata file, which is made unless it was made already.
Result<std::string> JobRun::document(const engine::Job& job) const {
  const std::string metadata = fmt::format("{}/metadata/{}", job.folder().path(), harvest::metadata_name(order_.job));
  if (world_.files.exists(metadata + ".done")) return metadata;
  TRY(const collection::Launch launch, job.crawl());
  harvest::MetadataSource source;
  source.job = order_.job;
  source.harvest = order_.definition;
  source.run = order_.run;
  source.organisation = order_.organization;
  source.host = options_.host;
  source.ip = options_.ip;
  source.setup = job.folder().path();
  source.setup_files = {"order.json", "job.log"};
  // The launch has the settings, without secrets; templates and overrides may hold some.
  for (const std::string& name : order_.files)
    if (!is_configuration(name) || name == harvest::kHarvestInfo) source.setup_files.push_back(name);
  source.launch = launch;
  SeededRandom random(system_seed());
  TRY_VOID(harvest::write_metadata_file(world_.files, metadata, job.folder().path() + "/metadata/cdx", source,
                                        world_.clock.wall(), random));
  TRY_VOID(world_.files.write_atomically(metadata + ".done", ""));
  return metadata;
}

Result<void> JobRun::send(const std::string& file, std::string_view kind) const {
  const std::string name(io::base_name(file));
  const std::string target = path(fmt::format("store/{}", percent_encoded(name)));
  TRY(const auto opened, world_.files.open_read(file));
  TRY(const uint64_t size, opened->size());
  TRY(const std::string told, ask(link_, {.method = "GET", .target = target}));
  control::JsonReader json(told);
  int64_t there = 0;
  json.take("bytes", there);
  std::string buffer(kPiece, '\0');
  for (auto at = static_cast<uint64_t>(there); at < size;) {
    TRY(const size_t got, opened->read_at(at, buffer.data(), buffer.size()));
    if (got == 0) return fail(ErrorCode::io, fmt::format("{} has become shorter", file));
    TRY_VOID(
        ask(link_, {.method = "PUT", .target = fmt::format("{}?at={}", target, at), .body = buffer.substr(0, got)}));
    at += got;
  }
  TRY(const std::string digest, sha256_of(world_.files, file));
  TRY_VOID(ask(link_, {.method = "POST", .target = fmt::format("{}?kind={}&sha256={}", target, kind, digest)}));
  return {};
}

Result<void> JobRun::hand_over(const collection::Launch& launch) {
  TRY(const auto files, brought(world_.files, launch));
  for (const auto& [file, kind] : files) {
    if (upload_.handed.contains(file)) continue;
    TRY_VOID(send(file, kind));
    upload_.handed.insert(file);
  }
  return {};
}

Result<void> JobRun::hand_over_metadata(const engine::Job& job) const {
  TRY(const std::string metadata, document(job));
  return send(metadata, "metadata");
}

Result<void> JobRun::tell_end(const GivenEnd& end) const {
  auto told = ask(link_, {.method = "POST", .target = path("end"), .body = end_json(end)});
  return told ? Result<void>() : pass(std::move(told).error(), "the server cannot be told the end of the job");
}

// The server is told where the files of a job are that it does not take, if it wants to know.
Result<void> JobRun::leave_behind() {
  GivenEnd end;
  end.end.errors.upload = "the files stay with the harvester";
  end.end.errors.upload_details = fmt::format("they are in {}, as harvester {} sees it", old_folder(), options_.name);
  const auto told = ask(link_, {.method = "POST", .target = path("end"), .body = end_json(end)});
  if (told) return put_away(false);
  if (!is_refusal(told.error())) return std::unexpected(told.error());
  log_warn("harvester", "job {} stays in {}: {}", order_.job, old_folder(), told.error().message);
  return put_away(false);
}

// Tells that the job is still worked on. True if its files can be handed over now.
Result<bool> JobRun::may_hand_over(engine::Job& job, SteadyTime now) {
  const bool waits = now < upload_.next;
  if (fate_ == Fate::given_up) return !waits;
  if (waits && now < next_progress_) return false;
  // So that nobody takes it for lost meanwhile.
  TRY(const auto told, tell_progress(job, true));
  if (!told) return false;
  // They are told that the crawl has ended.
  if (const auto wishes = read_wishes(*told)) questions_.take(questioned(job, true), wishes->questions);
  return !waits;
}

Result<void> JobRun::finish(engine::Job& job) {
  const SteadyTime now = world_.clock.steady();
  const bool is_wanted = fate_ == Fate::open || fate_ == Fate::given_up;
  TRY(const bool may, is_wanted ? may_hand_over(job, now) : Result<bool>(false));
  if (fate_ == Fate::delivered) return put_away(true);
  if (fate_ == Fate::lost) return leave_behind();
  if (!may) return {};
  const std::string exit(name_of(job.summary().exit));
  GivenEnd end;
  end.end.exit = exit;
  end.end.is_done = is_good_end(job.summary().exit);
  end.end.command =
      fmt::format("caddis {} crawl --collection {} --config {}{}", kVersion,
                  job.folder().find_launch("latest").value_or(""), job.folder().yaml(), environment_words(environ));
  end.otherwise = harvest::reason_of_exit(exit);
  if (!end.end.is_done) {
    end.end.errors.harvest = "the crawl died, or could not begin";
    end.end.errors.harvest_details = tail_of(fmt::format("{}", fmt::join(job.folder().log_tail(50), "\n")));
  }
  bool is_handed_over = true;
  if (const auto launch = job.crawl()) {
    auto statistics = harvest::read_job_statistics(world_.files, *launch, exit);
    if (!statistics && ++attempts_.failed < kMostAttempts) {
      upload_.next = now + kAttemptPause;
      return std::unexpected(std::move(statistics).error());
    }
    if (statistics)
      end.end.results = std::move(statistics->domains);
    else
      set_uncounted(end, statistics.error());
    // First what was captured: a disk without room for the metadata file does not keep that back.
    auto sent = hand_over(*launch);
    const bool has_files = sent.has_value();
    if (has_files) sent = hand_over_metadata(job);
    if (!sent && ++upload_.tries < kMostUploads && sent.error().code != ErrorCode::conflict) {
      upload_.next = now + kUploadPause;
      return sent;
    }
    if (!sent) {
      // Files that stay here are documented, too.
      if (const auto made = document(job); !made)
        log_warn("harvester", "job {} stays without a metadata file: {}", order_.job, made.error().message);
      is_handed_over = false;
      end.end.is_done = false;
      end.end.errors.upload = has_files
                                  ? "the metadata file could not be handed over; all other files are in the archive"
                                  : "the files could not be handed over";
      end.end.errors.upload_details =
          fmt::format("{}; {} in {}, as harvester {} sees it", sent.error().message,
                      has_files ? "logs and reports are" : "they are", old_folder(), options_.name);
    }
  }
  if (const auto told = tell_end(end); !told) {
    upload_.next = now + kAttemptPause;
    if (!is_refusal(told.error()) || ++attempts_.failed < kMostAttempts) return told;
    log_error("harvester", "job {} stays in {}: {}", order_.job, old_folder(), told.error().message);
    is_handed_over = false;
  }
  return put_away(is_handed_over);
}

// Beside the jobs, which may be those of another harvester.
std::string JobRun::old_folder() const {
  return fmt::format("{}/oldjobs/{}", io::parent_path(jobs_.options().folder), order_.job);
}

// A job that is in the archive is removed here; the rest stays for people.
Result<void> JobRun::put_away(bool is_handed_over) {
  TRY(const auto job, find());
  const std::string old = old_folder();
  const std::string folder = job->folder().path();
  if (!is_handed_over) {
    TRY_VOID(world_.files.make_dirs(io::parent_path(old)));
    if (world_.files.exists(old)) TRY_VOID(io::remove_tree(old));
    TRY_VOID(world_.files.rename(folder, old));
  } else {
    TRY_VOID(io::remove_tree(folder));
  }
  TRY_VOID(jobs_.rescan());
  is_over_ = true;
  return {};
}

}  // namespace caddis::harvestserver
