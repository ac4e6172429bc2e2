#include "caddis/harvestserver/backups.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

#include "caddis/base/time_format.h"

namespace caddis::harvestserver {
namespace {

constexpr std::string_view kPrefix = "harvest-", kSuffix = ".db";

// When a copy was made; nothing if it is another file.
std::optional<WallTime> time_of(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  const auto made = parse_timestamp(name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size()));
  return made ? std::optional(*made) : std::nullopt;
}

}  // namespace

Result<void> Backups::look() {
  if (database_.dialect() != sql::Dialect::sqlite || settings_.backup_interval == Duration(0)) return {};
  if (!next_) {
    TRY_VOID(files_.make_dirs(folder_));
    TRY(next_, first());
  }
  const SteadyTime now = clock_.steady();
  if (now < *next_) return {};
  next_ = now + settings_.backup_interval;
  return make();
}

// The oldest first. A copy from the future was made before the clock was put back.
Result<std::vector<std::string>> Backups::names() const {
  TRY(const auto entries, files_.list(folder_));
  std::vector<std::string> copies;
  for (const io::DirectoryEntry& entry : entries)
    if (time_of(entry.name)) copies.push_back(entry.name);
  const auto is_later = [now = clock_.wall()](const std::string& name) { return time_of(name) > now; };
  std::ranges::rotate(copies, std::ranges::find_if(copies, is_later));
  return copies;
}

Result<SteadyTime> Backups::first() const {
  TRY(const auto copies, names());
  const SteadyTime now = clock_.steady();
  if (copies.empty()) return now;
  const auto made = time_of(copies.back());
  if (!made || *made > clock_.wall()) return now;
  const auto age = std::chrono::duration_cast<Duration>(clock_.wall() - *made);
  return now + std::max(Duration(0), settings_.backup_interval - age);
}

Result<void> Backups::make() const {
  TRY_VOID(files_.make_dirs(folder_));
  const std::string made = folder_ + "/new";
  if (files_.exists(made)) TRY_VOID(files_.remove(made));
  // SQLite fills an empty file, and leaves its mode: a copy holds passwords of sites, as the database does.
  TRY_VOID(files_.open_append_private(made));
  TRY_VOID(database_.copy_to(made));
  TRY_VOID(files_.rename(made, fmt::format("{}/{}{}{}", folder_, kPrefix, timestamp14(clock_.wall()), kSuffix)));
  TRY(const auto copies, names());
  const auto kept = static_cast<size_t>(settings_.backups_kept);
  for (size_t i = 0; i + kept < copies.size(); ++i) TRY_VOID(files_.remove(folder_ + "/" + copies[i]));
  return {};
}

}  // namespace caddis::harvestserver
