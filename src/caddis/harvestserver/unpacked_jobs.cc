// A job is among those that are begun, or among those that are kept. The thread that works at one that is begun, to unpack
// it or to remove its folder, holds its mutex, and all others go away. Both lists change under the mutex of all, which is
// never held for long; it is taken behind that of one, never the other way round.
#include "caddis/harvestserver/unpacked_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "caddis/base/log.h"

namespace caddis::harvestserver {
namespace {

constexpr uint64_t kPiece = uint64_t{16} << 20;
// Logs are packed to a tenth and less, and their lines are there once more while they are sorted.
constexpr uint64_t kRoom = 16;

}  // namespace

struct UnpackedJobs::Begun {
  harvest::UnpackedJob job;
  const std::shared_ptr<const int> hold = std::make_shared<const int>(0);
  std::atomic<int> percent = 0;
  std::mutex mutex;  // of what follows
  std::unique_ptr<harvest::JobUnpacker> unpacker;
  bool is_done = false;
  std::optional<Error> end;  // it is over without being done: whoever asks again begins anew
};

UnpackedJobs::UnpackedJobs(io::Files& files, std::string folder, UnpackedLimits limits)
    : files_(files), folder_(std::move(folder)), limits_(limits) {
  if (!files_.is_directory(folder_)) return;
  const auto entries = files_.list(folder_);
  if (!entries) return;
  for (const io::DirectoryEntry& entry : *entries) {
    if (!entry.is_directory) continue;
    const std::string path = io::join_path(folder_, entry.name);
    if (harvest::is_unpacked(files_, {"", path})) {
      kept_.push_back({path, bytes_of(path), std::make_shared<const int>(0)});
      continue;
    }
    const auto gone = harvest::forget_unpacked(files_, {"", path});
    if (!gone) log_warn("records", "the half unpacked {} was not removed: {}", path, gone.error().message);
  }
}

UnpackedJobs::~UnpackedJobs() = default;

uint64_t UnpackedJobs::bytes_of(const std::string& folder) {
  const auto entries = files_.list(folder);
  if (!entries) return 0;
  return std::accumulate(entries->begin(), entries->end(), uint64_t{0},
                         [](uint64_t sum, const io::DirectoryEntry& entry) { return sum + entry.size; });
}

// Under the mutex of the one.
Result<bool> UnpackedJobs::advance(Begun& one, uint64_t bytes) {
  auto done = unpack(one, bytes);
  if (done && !*done) return false;
  one.unpacker.reset();
  if (done) {
    one.is_done = true;
    keep(one);
    return true;
  }
  one.end = done.error();
  // A half would take room.
  if (const auto gone = harvest::forget_unpacked(files_, one.job); !gone)
    log_warn("records", "the half unpacked {} was not removed: {}", one.job.folder, gone.error().message);
  const std::scoped_lock lock(mutex_);
  std::erase_if(begun_, [&](const auto& other) { return other.get() == &one; });
  return done;
}

// In pieces, so that others see how far it is.
Result<bool> UnpackedJobs::unpack(Begun& one, uint64_t bytes) {
  if (!one.unpacker) {
    TRY_VOID(make_room(one.job));
    TRY(one.unpacker, harvest::JobUnpacker::begin(files_, one.job));
  }
  while (bytes > 0) {
    const uint64_t piece = std::min(bytes, kPiece);
    TRY(const bool is_done, one.unpacker->step(piece));
    one.percent = one.unpacker->percent();
    if (is_done) return true;
    bytes -= piece;
  }
  return false;
}

Result<void> UnpackedJobs::make_room(const harvest::UnpackedJob& job) {
  TRY(const auto file, files_.open_read(job.metadata_file));
  TRY(const uint64_t size, file->size());
  TRY_VOID(files_.make_dirs(folder_));
  const uint64_t needed = kRoom * size;
  TRY(uint64_t free, files_.free_space(folder_));
  uint64_t kept = 0;
  {
    const std::scoped_lock lock(mutex_);
    for (const Kept& one : kept_) kept += one.bytes;
  }
  while (free < needed && needed - free <= kept && remove_oldest()) {
    TRY(free, files_.free_space(folder_));
  }
  if (free >= needed) return {};
  return fail(ErrorCode::no_space,
              fmt::format("{} has {} bytes and may need {} when it is unpacked, and the disk of {} has {} left: make "
                          "room there",
                          job.metadata_file, size, needed, folder_, free));
}

void UnpackedJobs::keep(Begun& one) {
  const uint64_t bytes = bytes_of(one.job.folder);
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(begun_, [&](const auto& other) { return other.get() == &one; });
    kept_.push_back({one.job.folder, bytes, one.hold});
  }
  while (is_too_much() && remove_oldest()) {
  }
}

bool UnpackedJobs::is_too_much() {
  const std::scoped_lock lock(mutex_);
  uint64_t bytes = 0;
  for (const Kept& one : kept_) bytes += one.bytes;
  return kept_.size() > limits_.jobs || bytes > limits_.bytes;
}

// False if all are in use. Whoever asks for it meanwhile is told to come back, as if it were being unpacked.
bool UnpackedJobs::remove_oldest() {
  const auto gone = std::make_shared<Begun>();
  const std::scoped_lock working(gone->mutex);
  {
    const std::scoped_lock lock(mutex_);
    const auto oldest = std::ranges::find_if(kept_, [](const Kept& one) { return one.hold.use_count() == 1; });
    if (oldest == kept_.end()) return false;
    gone->job.folder = oldest->folder;
    kept_.erase(oldest);
    begun_.push_back(gone);
  }
  const auto removed = harvest::forget_unpacked(files_, gone->job);
  if (!removed) log_warn("records", "{} was not removed: {}", gone->job.folder, removed.error().message);
  gone->end = Error{ErrorCode::timeout, fmt::format("{} was just removed: ask again", gone->job.folder)};
  const std::scoped_lock lock(mutex_);
  begun_.remove(gone);
  return true;
}

Result<UnpackedJobs::InUse> UnpackedJobs::of(const std::string& metadata_file) {
  const std::string name(io::base_name(metadata_file));
  const harvest::UnpackedJob job{metadata_file, io::join_path(folder_, name)};
  std::shared_ptr<Begun> one;
  {
    const std::scoped_lock lock(mutex_);
    const auto there = std::ranges::find(kept_, job.folder, &Kept::folder);
    if (there != kept_.end()) {
      kept_.splice(kept_.end(), kept_, there);
      return InUse{job, there->hold};
    }
    const auto begun = std::ranges::find(begun_, job.folder, [](const auto& other) { return other->job.folder; });
    if (begun != begun_.end()) {
      one = *begun;
    } else {
      one = begun_.emplace_back(std::make_shared<Begun>());
      one->job = job;
    }
  }
  const std::unique_lock working(one->mutex, std::try_to_lock);
  if (working) {
    if (one->end) return std::unexpected(*one->end);
    if (!one->is_done) TRY_VOID(advance(*one, limits_.share));
    if (one->is_done) return InUse{job, one->hold};
  }
  return fail(ErrorCode::timeout, fmt::format("{} is large, and is being unpacked ({} %): ask again in a while", name,
                                              one->percent.load()));
}

bool UnpackedJobs::step() {
  std::vector<std::shared_ptr<Begun>> all;
  {
    const std::scoped_lock lock(mutex_);
    all.assign(begun_.begin(), begun_.end());
  }
  for (const auto& one : all) {
    const std::unique_lock working(one->mutex, std::try_to_lock);
    if (!working || one->end || one->is_done) continue;
    const auto done = advance(*one, kPiece);
    if (!done) log_warn("records", "{} was not unpacked: {}", one->job.metadata_file, done.error().message);
    break;
  }
  const std::scoped_lock lock(mutex_);
  return !begun_.empty();
}

}  // namespace caddis::harvestserver
