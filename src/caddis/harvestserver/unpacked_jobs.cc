#include "caddis/harvestserver/unpacked_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/log.h"

namespace caddis::harvestserver {
namespace {

constexpr uint64_t kPiece = uint64_t{16} << 20;

}  // namespace

struct UnpackedJobs::Begun {
  explicit Begun(harvest::UnpackedJob the_job) : job(std::move(the_job)) {}

  const harvest::UnpackedJob job;
  std::mutex mutex;  // of what follows
  std::unique_ptr<harvest::JobUnpacker> unpacker;
  bool is_done = false;
};

UnpackedJobs::UnpackedJobs(io::Files& files, std::string folder, size_t most, uint64_t share)
    : files_(files), folder_(std::move(folder)), most_(most), share_(share) {
  if (!files_.is_directory(folder_)) return;
  if (const auto entries = files_.list(folder_))
    for (const io::DirectoryEntry& entry : *entries) names_.push_back(entry.name);
}

UnpackedJobs::~UnpackedJobs() = default;

std::shared_ptr<UnpackedJobs::Begun> UnpackedJobs::begun(const harvest::UnpackedJob& job) {
  const std::scoped_lock lock(mutex_);
  for (const auto& one : begun_)
    if (one->job.folder == job.folder) return one;
  return begun_.emplace_back(std::make_shared<Begun>(job));
}

// Under the lock of the one.
Result<bool> UnpackedJobs::advance(Begun& one, uint64_t bytes) {
  if (one.is_done || harvest::is_unpacked(files_, one.job)) return true;
  if (!one.unpacker) {
    TRY(one.unpacker, harvest::JobUnpacker::begin(files_, one.job));
  }
  auto done = one.unpacker->step(bytes);
  // A failure is begun anew by whoever asks again.
  if (!done || *done) one.unpacker.reset();
  one.is_done = done && *done;
  return done;
}

void UnpackedJobs::used(const std::string& name) {
  std::string oldest;
  {
    const std::scoped_lock lock(mutex_);
    std::erase(names_, name);
    names_.push_back(name);
    std::erase_if(begun_, [&](const auto& one) { return io::base_name(one->job.folder) == name; });
    if (names_.size() <= most_) return;
    oldest = names_.front();
    names_.pop_front();
  }
  const auto gone = harvest::forget_unpacked(files_, {"", io::join_path(folder_, oldest)});
  if (!gone) log_warn("records", "the unpacked {} was not removed: {}", oldest, gone.error().message);
}

Result<harvest::UnpackedJob> UnpackedJobs::of(const std::string& metadata_file) {
  const std::string name(io::base_name(metadata_file));
  const harvest::UnpackedJob job{metadata_file, io::join_path(folder_, name)};
  if (!harvest::is_unpacked(files_, job)) {
    const auto one = begun(job);
    const std::scoped_lock lock(one->mutex);
    TRY(const bool is_done, advance(*one, share_));
    if (!is_done)
      return fail(ErrorCode::timeout, fmt::format("{} is large, and is being unpacked ({} %): ask again in a while",
                                                  name, one->unpacker->percent()));
  }
  used(name);
  return job;
}

bool UnpackedJobs::step() {
  std::shared_ptr<Begun> one;
  {
    const std::scoped_lock lock(mutex_);
    if (begun_.empty()) return false;
    one = begun_.front();
  }
  const std::scoped_lock lock(one->mutex);
  const auto done = advance(*one, kPiece);
  if (!done) log_warn("records", "{} was not unpacked: {}", one->job.metadata_file, done.error().message);
  if (!done || *done) {
    const std::scoped_lock all(mutex_);
    std::erase(begun_, one);
    if (done && std::ranges::find(names_, io::base_name(one->job.folder)) == names_.end())
      names_.emplace_back(io::base_name(one->job.folder));
    return !begun_.empty();
  }
  return true;
}

}  // namespace caddis::harvestserver
