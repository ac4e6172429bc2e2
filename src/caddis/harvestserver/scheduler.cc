#include "caddis/harvestserver/scheduler.h"

#include <fmt/format.h>

#include <functional>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/log.h"
#include "caddis/harvest/jobs.h"
#include "caddis/harvestserver/log_modules.h"

namespace caddis::harvestserver {
namespace {

constexpr Duration kBeat = std::chrono::milliseconds(100);

int64_t seconds_of(Duration duration) { return std::chrono::duration_cast<std::chrono::seconds>(duration).count(); }

}  // namespace

Scheduler::Scheduler(aio::Loop& loop, aio::Blocking& workers, const Parts& parts, std::string backups)
    : loop_(loop),
      workers_(workers),
      parts_(parts),
      backups_(parts.database, parts.files, parts.clock, parts.settings.harvest, std::move(backups)),
      generator_(parts.database, parts.clock, generator_settings(parts.settings)) {}

aio::Task<void> Scheduler::run() {
  while (!stops_) {
    looks_soon_ = false;
    co_await look();
    const SteadyTime next = loop_.clock().steady() + parts_.settings.harvest.check_interval;
    while (!stops_ && !looks_soon_ && loop_.clock().steady() < next) co_await aio::sleep_for(loop_, kBeat);
  }
  co_await nursery_.join();
}

aio::Task<void> Scheduler::look() {
  Result<std::vector<int64_t>> due;
  std::function<void()> work = [&] {
    look_after_jobs();
    due = generator_.due();
  };
  co_await workers_.run(loop_, std::move(work));
  if (!due) {
    log_error("harvest", "cannot look for harvests that are due: {}", due.error().message);
    co_return;
  }
  for (const int64_t definition : *due)
    if (generating_.insert(definition).second) nursery_.spawn(generate(definition));
}

aio::Task<void> Scheduler::generate(int64_t definition) {
  Result<std::optional<harvest::Generated>> generated;
  const SteadyTime begun = loop_.clock().steady();
  std::function<void()> work = [&] { generated = generator_.generate(definition); };
  co_await workers_.run(loop_, std::move(work));
  generating_.erase(definition);
  count(generated, loop_.clock().steady() - begun);
  if (!generated)
    log_error(kJobsLog, "jobs of harvest {} were not made: {}", definition, generated.error().message);
  else if (*generated)
    log_info("harvest", "harvest {}: {} with {}; {} left out", definition,
             counted(static_cast<uint64_t>((*generated)->jobs), "job"),
             counted(static_cast<uint64_t>((*generated)->configurations), "configuration"), (*generated)->left_out);
}

void Scheduler::count(const Result<std::optional<harvest::Generated>>& generated, Duration took) {
  Tally& tally = *parts_.tally;
  if (generated && !*generated) return;
  tally.generation_millis += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count());
  ++(generated ? tally.generations : tally.failed_generations);
  if (generated) tally.generated_jobs += static_cast<uint64_t>((*generated)->jobs);
}

void Scheduler::look_after_jobs() {
  const HarvestSettings& settings = parts_.settings.harvest;
  // While this server or its database was away, no harvester could be heard.
  const int64_t since = answers_since_.value_or(parts_.now());
  const auto ended = parts_.database.write([&](sql::Connection& c) {
    return harvest::end_lost_jobs(c, seconds_of(settings.lost_after), seconds_of(settings.job_timeout), since,
                                  !settings.shared.empty(), {"scheduler", parts_.now()});
  });
  answers_since_ = ended ? std::optional(since) : std::nullopt;
  if (!ended) log_error("harvest", "cannot look after jobs: {}", ended.error().message);
  if (ended)
    for (const std::string& line : *ended) log_warn(kJobsLog, "{}", line);
  if (const auto done = backups_.look(); !done) {
    ++parts_.tally->failed_backups;
    log_error("harvest", "the database was not copied: {}", done.error().message);
  }
  if (ended && parts_.announce) parts_.announce(since);
}

}  // namespace caddis::harvestserver
