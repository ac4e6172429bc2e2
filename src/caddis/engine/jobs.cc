#include "caddis/engine/jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/config/profiles.h"
#include "caddis/engine/job_config.h"
#include "caddis/io/links.h"

namespace caddis::engine {
namespace {

constexpr size_t kShownName = 100;              // bytes of a name that is refused
constexpr uint64_t kLargestCopied = 256 << 20;  // bytes of a file beside a configuration

// The files of a job that are not its configuration, nor what a copy takes along.
bool is_engines_own(std::string_view name) {
  return name == "job.yaml" || name == "job.log" || name == "latest" || name.starts_with('.');
}

// The files beside the configuration (lists of seeds, what it extends), and the configuration itself.
Result<void> copy_files(io::Files& files, const JobFolder& from, const JobFolder& to) {
  TRY(const auto entries, files.list(from.path()));
  for (const io::DirectoryEntry& entry : entries) {
    if (entry.is_directory || entry.is_link || is_engines_own(entry.name)) continue;
    TRY(const std::string bytes, files.read_all(from.launch(entry.name), kLargestCopied));
    TRY_VOID(files.write_atomically(to.launch(entry.name), bytes));
  }
  return {};
}

// The refusal of a name that is neither a profile that ships nor a job.
std::unexpected<Error> no_profile(std::string_view name, const std::vector<std::shared_ptr<Job>>& jobs) {
  std::vector<std::string> names;
  for (const config::Profile& profile : config::profiles()) names.emplace_back(profile.name);
  for (const auto& job : jobs)
    if (job->summary().is_profile) names.push_back(job->name());
  const std::string near = nearest_name(name, names);
  return fail(ErrorCode::config,
              fmt::format("there is no profile '{}'{}; there are {}", visible(name, kShownName),
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near), fmt::join(names, ", ")));
}

}  // namespace

Result<std::unique_ptr<Jobs>> Jobs::open(const JobWorld& world, const JobsOptions& options) {
  TRY_VOID(world.files.make_dirs(options.folder));
  JobsOptions whole = options;
  TRY(whole.folder, io::real_path(options.folder));
  std::unique_ptr<Jobs> jobs(new Jobs(world, std::move(whole)));
  auto lock = world.files.lock(jobs->options_.folder + "/.engine", "an engine");
  if (!lock && lock.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict, fmt::format("another engine has the jobs in {}", jobs->options_.folder));
  if (!lock) return std::unexpected(std::move(lock).error());
  jobs->lock_ = *std::move(lock);
  TRY_VOID(jobs->rescan());
  return jobs;
}

Jobs::Jobs(const JobWorld& world, JobsOptions options)
    : world_(world),
      options_(std::move(options)),
      divider_(world, options_.allowance, options_.max_running, options_.folder) {}

std::vector<std::shared_ptr<Job>> Jobs::list() const {
  const std::scoped_lock lock(guard_);
  std::vector<std::shared_ptr<Job>> all;
  for (const auto& [name, job] : jobs_) all.push_back(job);
  return all;
}

Result<std::shared_ptr<Job>> Jobs::find(std::string_view name) const {
  const std::scoped_lock lock(guard_);
  if (const auto found = jobs_.find(name); found != jobs_.end()) return found->second;
  return fail(ErrorCode::not_found, fmt::format("there is no job '{}'", name));
}

size_t Jobs::running() const {
  return static_cast<size_t>(
      std::ranges::count_if(list(), [](const auto& job) { return is_active(job->summary().state); }));
}

Result<size_t> Jobs::rescan() {
  TRY(const auto entries, world_.files.list(options_.folder));
  std::vector<std::string> there;
  size_t found = 0;
  for (const io::DirectoryEntry& entry : entries) {
    if (!entry.is_directory || entry.is_link || !is_job_name(entry.name)) continue;
    const JobFolder folder(world_.files, options_.folder + "/" + entry.name);
    if (!folder.has_config() && !world_.files.exists(folder.record())) continue;
    there.push_back(entry.name);
    if (find(entry.name)) continue;
    TRY([[maybe_unused]] const auto job, add(entry.name));
    ++found;
  }
  for (const auto& job : list())
    if (std::ranges::count(there, job->name()) == 0 && !is_active(job->summary().state)) forget(*job);
  return found;
}

Result<std::shared_ptr<Job>> Jobs::add(const std::string& name) {
  const auto job = std::make_shared<Job>(world_, name, options_.folder + "/" + name);
  {
    const std::scoped_lock lock(guard_);
    if (!jobs_.try_emplace(name, job).second)
      return fail(ErrorCode::conflict, fmt::format("there is a job '{}'", name));
    ticket_ = std::max(ticket_, job->record().ticket);
  }
  tell(*job);
  return job;
}

void Jobs::forget(const Job& job) {
  {
    const std::scoped_lock lock(guard_);
    jobs_.erase(job.name());
  }
  const std::scoped_lock lock(telling_);
  if (on_gone_) on_gone_(job.name());
}

Result<JobFolder> Jobs::make_folder(std::string_view name) {
  if (!is_job_name(name))
    return fail(ErrorCode::config,
                "the name of a job has up to 64 letters, digits, '.', '_' and '-', and begins with none of "
                "the last but '_'");
  JobFolder folder(world_.files, fmt::format("{}/{}", options_.folder, name));
  if (world_.files.exists(folder.path()))
    return fail(ErrorCode::conflict, fmt::format("there is a job '{}', or a folder of that name", name));
  TRY_VOID(world_.files.make_dirs(folder.path()));
  return folder;
}

// The configuration is written before the job is known, and its folder taken back if that fails.
Result<std::shared_ptr<Job>> Jobs::create(const NewJob& wanted) {
  std::shared_ptr<Job> base;
  if (!wanted.job.empty()) {
    TRY(base, find(wanted.job));
  } else if (!wanted.profile.empty() && !config::find_profile(wanted.profile)) {
    auto found = find(wanted.profile);
    if (!found) return no_profile(wanted.profile, list());
    base = *std::move(found);
    if (!base->summary().is_profile)
      return fail(ErrorCode::config, fmt::format("job '{}' is no profile; give it as job", wanted.profile));
  }
  TRY(const JobFolder folder, make_folder(wanted.name));
  const auto written = [&]() -> Result<void> {
    if (!base) return world_.files.write_atomically(folder.yaml(), new_config(wanted.profile, wanted.urls));
    TRY_VOID(copy_files(world_.files, base->folder(), folder));
    if (wanted.urls.empty()) return {};
    if (folder.is_cxml())
      return fail(ErrorCode::config,
                  "seeds of a configuration of Heritrix stand beside it: copy the job, then change them");
    TRY_VOID(world_.files.rename(folder.yaml(), folder.path() + "/base.yaml"));
    return world_.files.write_atomically(folder.yaml(), new_config("./base.yaml", wanted.urls));
  }();
  if (!written) {
    (void)io::remove_tree(folder.path());
    return std::unexpected(written.error());
  }
  TRY(auto job, add(wanted.name));
  job->note("INFO", base ? fmt::format("made of job '{}'", base->name()) : "made");
  return job;
}

Result<std::shared_ptr<Job>> Jobs::copy(const Job& from, const JobOrder& order) {
  TRY(const JobFolder folder, make_folder(order.name));
  auto written = copy_files(world_.files, from.folder(), folder);
  const JobRecord record{.is_profile = order.as_profile, .launch = {}, .request = {}};
  if (written) written = write_record(world_.files, folder.record(), record);
  if (!written) {
    (void)io::remove_tree(folder.path());
    return std::unexpected(written.error());
  }
  TRY(auto job, add(order.name));
  job->note("INFO", fmt::format("copied from job '{}'{}", from.name(), order.as_profile ? ", as a profile" : ""));
  return job;
}

Result<void> Jobs::remove(Job& job, bool launches) {
  const JobSummary now = job.summary();
  if (is_active(now.state))
    return fail(ErrorCode::conflict, fmt::format("job '{}' runs: terminate it first", job.name()));
  if (now.launch_count > 0 && !launches)
    return fail(ErrorCode::conflict,
                fmt::format("job '{}' has {} launches, with all that they captured: say that these are to be "
                            "deleted, too",
                            job.name(), now.launch_count));
  // Under another name first: a job that is half removed is none.
  const std::string doomed = fmt::format("{}/.deleted-{}", options_.folder, job.name());
  TRY_VOID(io::remove_tree(doomed));
  TRY_VOID(world_.files.rename(job.folder().path(), doomed));
  forget(job);
  return io::remove_tree(doomed);
}

Result<void> Jobs::start_or_queue(Job& job, const LaunchRequest& request) {
  const std::scoped_lock lock(starting_);
  if (const auto grant = divider_.grant(job, list())) return job.launch(request, *grant);
  uint64_t ticket = 0;
  {
    const std::scoped_lock guard(guard_);
    ticket = ++ticket_;
  }
  return job.enqueue(request, ticket);
}

void Jobs::launch_queued() {
  const std::scoped_lock lock(starting_);
  std::vector<std::shared_ptr<Job>> waiting = list();
  std::erase_if(waiting, [](const auto& job) { return job->summary().state != JobState::queued; });
  std::ranges::sort(waiting, {}, [](const auto& job) { return job->record().ticket; });
  for (const auto& job : waiting) {
    const auto grant = divider_.grant(*job, list());
    if (!grant) return;  // nobody overtakes it
    if (const auto begun = job->launch_waiting(*grant); !begun)
      log_warn("engine", "job '{}' could not be launched: {}", job->name(), begun.error().message);
    tell(*job);
  }
}

Result<std::shared_ptr<Job>> Jobs::perform(std::string_view name, const JobOrder& order) {
  TRY(const std::shared_ptr<Job> job, find(name));
  if (order.action == JobAction::copy) return copy(*job, order);
  if (order.action == JobAction::remove) {
    TRY_VOID(remove(*job, order.launches));
    return std::shared_ptr<Job>();
  }
  if (!order.actor.empty()) job->note("INFO", fmt::format("{} asks to {} it", order.actor, name_of(order.action)));
  const auto done = steer(*job, order);
  tell(*job);  // a build that fails changes it, too
  if (!done) return std::unexpected(done.error());
  return job;
}

Result<void> Jobs::steer(Job& job, const JobOrder& order) {
  switch (order.action) {
    case JobAction::build:
      return job.build();
    case JobAction::launch:
    case JobAction::resume: {
      LaunchRequest request = order.launch;
      request.resume = order.action == JobAction::resume;
      return start_or_queue(job, request);
    }
    case JobAction::pause:
      return job.pause();
    case JobAction::unpause:
      return job.unpause();
    case JobAction::checkpoint: {
      TRY([[maybe_unused]] const auto taken, job.checkpoint(order.name));
      return {};
    }
    case JobAction::terminate:
      return job.terminate();
    case JobAction::teardown:
      return job.teardown();
    case JobAction::dequeue:
      return job.dequeue();
    case JobAction::copy:
    case JobAction::remove:
      break;
  }
  return fail(ErrorCode::unsupported, fmt::format("there is no way to {} a job", name_of(order.action)));
}

void Jobs::look() {
  for (const auto& job : list())
    if (job->look()) tell(*job);
  launch_queued();
  divider_.divide(list());
}

void Jobs::tell(const Job& job) {
  const std::scoped_lock lock(telling_);
  if (on_change_) on_change_(job.summary());
}

}  // namespace caddis::engine
