#include "caddis/harvestserver/harvester.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/control/json_reader.h"
#include "caddis/engine/job.h"
#include "caddis/harvestserver/job_run.h"
#include "caddis/harvestserver/json.h"

namespace caddis::harvestserver {
namespace {

constexpr uint64_t kMegabyte = 1'000'000;

std::string order_file_of(const engine::Job& job) { return job.folder().path() + "/order.json"; }

}  // namespace

Harvester::Harvester(const engine::JobWorld& world, ServerLink link, HarvesterOptions options,
                     std::unique_ptr<engine::Jobs> jobs)
    : world_(world), link_(std::move(link)), options_(std::move(options)), jobs_(std::move(jobs)) {}

Harvester::~Harvester() = default;

Result<std::unique_ptr<Harvester>> Harvester::open(const engine::JobWorld& world, ServerLink link,
                                                   HarvesterOptions options) {
  TRY_VOID(harvest::check_name(options.name, "harvester"));
  TRY_VOID(world.files.make_dirs(options.data));
  engine::JobsOptions of_jobs;
  of_jobs.folder = options.data + "/jobs";
  TRY(auto jobs, engine::Jobs::open(world, of_jobs));
  std::unique_ptr<Harvester> harvester(new Harvester(world, std::move(link), std::move(options), std::move(jobs)));
  // A job that cannot be given back now is given back later.
  if (const auto found = harvester->find_old_job(); !found) {
    if (!world.files.exists(harvester->taken_file())) return std::unexpected(found.error());
    log_warn("harvester", "{}", found.error().message);
  }
  return harvester;
}

std::optional<int64_t> Harvester::job() const {
  if (run_ == nullptr) return std::nullopt;
  return run_->number();
}

Result<void> Harvester::find_old_job() {
  if (world_.files.exists(taken_file())) {
    TRY(const std::string json, world_.files.read_all(taken_file(), 64 << 20));
    TRY(Order order, read_order(json));
    return take_over(std::move(order));
  }
  for (const auto& job : jobs_->list()) {
    const auto text = world_.files.read_all(order_file_of(*job), 64 << 20);
    if (!text) continue;
    TRY(Order order, read_order(*text));
    run_ = std::make_unique<JobRun>(world_, *jobs_, link_, options_, std::move(order));
    return {};
  }
  return {};
}

Result<void> Harvester::step() {
  if (run_ != nullptr) {
    TRY(const bool is_over, run_->step());
    if (!is_over) return world_.clock.steady() < next_hello_ ? Result<void>() : say_hello("harvesting");
    run_.reset();
    if (taken_ != nullptr) {
      taken_.reset();
      TRY_VOID(world_.files.remove(taken_file()));
    }
    // Another one may have been left.
    TRY_VOID(find_old_job());
    next_hello_ = {};
    return {};
  }
  if (world_.clock.steady() < next_hello_) return {};
  if (world_.files.exists(taken_file())) {
    next_hello_ = world_.clock.steady() + options_.hello_interval;
    TRY_VOID(find_old_job());
    next_hello_ = {};
    return {};
  }
  TRY(const std::string lacks, shortage());
  TRY_VOID(say_hello(lacks.empty() ? "ready" : lacks));
  return lacks.empty() ? look_for_job() : Result<void>();
}

Result<std::string> Harvester::shortage() const {
  TRY(const uint64_t free, world_.files.free_space(options_.data));
  if (free < options_.least_free) return "the disk is full";
  if (options_.least_memory == 0 || !options_.memory_available) return std::string();
  const uint64_t memory = options_.memory_available();
  if (memory == 0 || memory >= options_.least_memory) return std::string();
  return fmt::format("{} MB of memory are available, {} are needed", memory / kMegabyte,
                     (options_.least_memory + kMegabyte - 1) / kMegabyte);
}

Result<void> Harvester::say_hello(std::string_view state) {
  next_hello_ = world_.clock.steady() + options_.hello_interval;
  harvest::HarvesterState own;
  own.host = options_.host;
  own.version = std::string(kVersion);
  own.state = std::string(state);
  own.channels = options_.channels;
  own.job = job();
  TRY(const uint64_t free, world_.files.free_space(options_.data));
  own.free_bytes = static_cast<int64_t>(free);
  TRY(const std::string answer, ask(link_, {.method = "POST",
                                            .target = fmt::format("/api/harvesters/{}", percent_encoded(options_.name)),
                                            .body = harvester_json(own)}));
  control::JsonReader json(answer);
  channels_.clear();
  json.take("channels", channels_);
  return {};
}

Result<void> Harvester::look_for_job() {
  harvest::HarvesterState own;
  own.channels = channels_;
  TRY(const std::string answer,
      ask(link_, {.method = "POST",
                  .target = fmt::format("/api/harvesters/{}/take", percent_encoded(options_.name)),
                  .body = harvester_json(own)}));
  if (trim(answer) == "{}") return {};
  TRY(Order order, read_order(answer));
  return begin(std::move(order), answer);
}

Result<void> Harvester::begin(Order order, const std::string& json) {
  if (!order.left_by.empty()) {
    TRY_VOID(world_.files.write_atomically(taken_file(), json));
    return take_over(std::move(order));
  }
  log_info("harvester", "job {} of the harvest {} was taken", order.job, order.definition_name);
  engine::NewJob made;
  made.name = std::to_string(order.job);
  TRY(const auto job, jobs_->create(made));
  TRY_VOID(world_.files.write_atomically(order_file_of(*job), json));
  run_ = std::make_unique<JobRun>(world_, *jobs_, link_, options_, std::move(order));
  return {};
}

// The folder is locked, so that a harvester that was taken for lost cannot begin there meanwhile. If it is still there, or the
// folder cannot be reached, the server is told so: it may find somebody else, or say why the job has failed.
Result<void> Harvester::take_over(Order order) {
  const auto give_back = [&](const std::string& why) -> Result<void> {
    log_warn("harvester", "job {} cannot be taken over from {}: {}", order.job, order.left_by, why);
    const std::string target =
        fmt::format("/api/harvesters/{}/jobs/{}/give-back", percent_encoded(options_.name), order.job);
    const auto told = ask(link_, {.method = "POST", .target = target, .body = JsonObject().add("why", why).finish()});
    if (!told && told.error().code != ErrorCode::conflict) return std::unexpected(told.error());
    return world_.files.remove(taken_file());
  };
  const std::string folder = fmt::format("{}/{}", order.folder, order.job);
  if (!world_.files.exists(folder + "/order.json"))
    return give_back(fmt::format("harvester {} does not reach {}", options_.name, folder));
  engine::JobsOptions of_jobs;
  of_jobs.folder = order.folder;
  auto opened = engine::Jobs::open(world_, of_jobs);
  if (!opened) return give_back(opened.error().message);
  taken_ = *std::move(opened);
  log_info("harvester", "job {} of the harvest {} was taken over from {}", order.job, order.definition_name,
           order.left_by);
  run_ = std::make_unique<JobRun>(world_, *taken_, link_, options_, std::move(order));
  return {};
}

}  // namespace caddis::harvestserver
