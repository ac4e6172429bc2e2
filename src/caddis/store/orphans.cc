#include "caddis/store/orphans.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "caddis/base/strings.h"

namespace caddis::store {

namespace {
constexpr uint64_t kCopyStep = 1 << 20;
}

Result<std::string> Orphans::next_path(std::string_view name) {
  if (next_ == 0) {
    std::vector<io::DirectoryEntry> entries;
    if (files_.is_directory(folder_)) {
      TRY(entries, files_.list(folder_));
    }
    next_ = 1;
    for (const auto& entry : entries) {
      const auto number = parse_int(std::string_view(entry.name).substr(0, entry.name.find('-')));
      if (number && *number > 0) next_ = std::max(next_, static_cast<uint64_t>(*number) + 1);
    }
  }
  return io::join_path(folder_, fmt::format("{:06}-{}", next_++, name));
}

std::string Orphans::name_of_tail(const std::string& path, uint64_t from) {
  return fmt::format("{}.from-{}", io::base_name(path), from);
}

Result<std::string> Orphans::take(const std::string& path) {
  TRY(std::string to, next_path(io::base_name(path)));
  TRY_VOID(take(path, to));
  return to;
}

Result<void> Orphans::take(const std::string& path, const std::string& to) {
  TRY_VOID(files_.make_dirs(folder_));
  if (!files_.rename(path, to)) {
    // Perhaps another file system: a rename does not get there, a copy does.
    uint64_t size = 0;
    {
      TRY(const auto file, files_.open_read(path));
      TRY(size, file->size());
    }
    TRY_VOID(copy(path, 0, size, to));
    TRY_VOID(files_.remove(path));
  }
  to_sync_.insert(folder_);
  to_sync_.insert(io::parent_path(path));
  return {};
}

Result<void> Orphans::take_tail(const std::string& path, uint64_t from, uint64_t to, const std::string& copy_path) {
  TRY_VOID(files_.make_dirs(folder_));
  return copy(path, from, to, copy_path);
}

Result<void> Orphans::copy(const std::string& path, uint64_t from, uint64_t to, const std::string& copy_path) {
  TRY(const auto source, files_.open_read(path));
  TRY(const auto target, files_.open_append(copy_path));
  std::string buffer(static_cast<size_t>(std::min(kCopyStep, to - from)), '\0');
  while (from < to) {
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(buffer.size(), to - from));
    TRY(const size_t got, source->read_at(from, buffer.data(), wanted));
    if (got == 0)
      return fail(ErrorCode::corrupt, path + " became shorter while it was copied: is somebody else at work?");
    TRY_VOID(target->append(std::string_view(buffer).substr(0, got)));
    from += got;
  }
  TRY_VOID(target->sync());
  return files_.sync_dir(folder_);
}

Result<Orphans::Names> Orphans::names() const {
  Names names;
  if (!files_.is_directory(folder_)) return names;
  TRY(const auto entries, files_.list(folder_));
  for (const io::DirectoryEntry& entry : entries)
    if (const size_t dash = entry.name.find('-'); dash != std::string::npos) names.insert(entry.name.substr(dash + 1));
  return names;
}

Result<void> Orphans::sync_folders() {
  while (!to_sync_.empty()) {
    TRY_VOID(files_.sync_dir(*to_sync_.begin()));
    to_sync_.erase(to_sync_.begin());
  }
  return {};
}

}  // namespace caddis::store
