#include "caddis/engine/divider.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/log.h"

namespace caddis::engine {
namespace {

// A folder of archives has many files.
constexpr Duration kMeasureAgain = std::chrono::seconds(30);
constexpr int kDeepest = 32;
constexpr Duration kPatience = std::chrono::seconds(2);

bool runs(const std::shared_ptr<Job>& job) { return is_active(job->summary().state); }

uint64_t size_below(io::Files& files, const std::string& folder, int depth) {
  const auto entries = files.list(folder);
  if (!entries || depth > kDeepest) return 0;
  uint64_t size = 0;
  for (const io::DirectoryEntry& entry : *entries)
    if (!entry.is_link)
      size += entry.is_directory ? size_below(files, folder + "/" + entry.name, depth + 1) : entry.size;
  return size;
}

}  // namespace

uint64_t tree_size(io::Files& files, const std::string& folder) { return size_below(files, folder, 0); }

uint64_t Divider::disk_left() {
  if (allowance_.disk == 0) return 0;
  const std::scoped_lock lock(measuring_);
  const SteadyTime now = world_.clock.steady();
  if (!measured_ || now - *measured_ > kMeasureAgain) {
    const uint64_t used = tree_size(world_.files, folder_);
    disk_left_ = allowance_.disk - std::min(allowance_.disk, used);
    measured_ = now;
  }
  return disk_left_;
}

Division Divider::division_of(const Job& job, size_t running, bool goes_on) {
  Division division{.running = running, .disk_left = disk_left(), .warc_bytes = 0};
  const std::string launch = job.summary().last_launch;
  if (allowance_.disk > 0 && goes_on && !launch.empty())
    division.warc_bytes = tree_size(world_.files, job.folder().launch(launch) + "/archive");
  return division;
}

std::optional<Grant> Divider::grant(const Job& job, const Jobs& all) {
  size_t running = 0;
  uint64_t taken = 0;
  for (const auto& other : all)
    if (runs(other)) {
      ++running;
      taken += other->record().memory;
    }
  if (places_ > 0 && running >= places_) return std::nullopt;
  if (allowance_ == Allowance()) return Grant();
  const Wishes wishes = wishes_of(world_.files, job.folder());
  Grant grant;
  if (allowance_.memory > 0) {
    grant.memory = memory_share(allowance_, wishes, places_);
    if (running > 0 && taken + grant.memory > allowance_.memory) return std::nullopt;
    grant.settings.push_back(fmt::format("memory.total={}", grant.memory));
  }
  if (allowance_.disk > 0 && disk_left() == 0) return std::nullopt;
  if (allowance_.processors > 0)
    grant.settings.push_back(fmt::format("crawl.lanes={}", lane_share(allowance_, wishes, places_)));
  for (std::string& setting :
       divided_settings(allowance_, wishes, division_of(job, running + 1, job.record().request.resume)))
    grant.settings.push_back(std::move(setting));
  return grant;
}

void Divider::divide(const Jobs& all) {
  if (allowance_.bandwidth == 0 && allowance_.disk == 0) return;
  std::string among;
  size_t running = 0;
  for (const auto& job : all)
    if (runs(job)) {
      ++running;
      among += fmt::format("{}/{} ", job->name(), job->record().launch);
    }
  if (among != divided_among_) told_.clear();
  divided_among_ = among;
  for (const auto& job : all) {
    const JobState state = job->summary().state;
    if (!runs(job) || state == JobState::preparing || state == JobState::stopping || told_[job->name()]) continue;
    const Division division = division_of(*job, running, true);
    const auto settings = divided_settings(allowance_, wishes_of(world_.files, job->folder()), division);
    const std::string body = fmt::format("{}\n", fmt::join(settings, "\n"));
    const auto told = job->ask({.method = "POST", .target = "/settings", .body = body, .actor = "engine"}, kPatience);
    told_[job->name()] = told || told.error().code == ErrorCode::parse || told.error().code == ErrorCode::config;
    if (!told) log_warn("engine", "job '{}' does not know its share: {}", job->name(), told.error().message);
  }
}

}  // namespace caddis::engine
