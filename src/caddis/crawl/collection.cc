#include "caddis/crawl/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/folders.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {
namespace {

// Launch names, oldest first. They end in a timestamp, so that the end of the name sorts by time. A folder without
// crawl.yaml is none: it died before it had begun.
Result<std::vector<std::string>> launches(io::Files& files, const std::string& collection) {
  std::vector<std::string> names;
  const std::string folder = collection + "/crawls";
  if (!files.exists(folder)) return names;
  TRY(const auto entries, files.list(folder));
  for (const io::DirectoryEntry& entry : entries)
    if (entry.is_directory && entry.name.find('-') != std::string::npos &&
        files.exists(Launch{collection, entry.name}.settings_file()))
      names.push_back(entry.name);
  const auto stamp = [](std::string_view name) { return name.substr(name.rfind('-')); };
  std::ranges::sort(names, [&](const std::string& a, const std::string& b) {
    return std::pair(stamp(a), std::string_view(a)) < std::pair(stamp(b), std::string_view(b));
  });
  return names;
}

// Page lists grow with the crawl: they are copied in pieces. A launch that was killed may end in half a line: it is not
// part of the list until the crawl is resumed.
Result<void> append_whole_lines(io::Files& files, const std::string& path, io::File& to) {
  constexpr size_t kPiece = 1u << 20;
  TRY(const auto from, files.open_read(path));
  std::string piece(kPiece, '\0'), half;
  for (uint64_t at = 0;;) {
    TRY(const size_t got, from->read_at(at, piece.data(), piece.size()));
    if (got == 0) return {};
    at += got;
    const std::string_view read = std::string_view(piece).substr(0, got);
    const size_t whole = read.rfind('\n') + 1;
    if (whole > 0) {
      TRY_VOID(to.append(half));
      TRY_VOID(to.append(read.substr(0, whole)));
      half.clear();
    }
    half += read.substr(whole);
  }
}

std::string lock_file(const std::string& collection) { return collection + "/crawls/lock"; }

}  // namespace

Result<void> keep_private(io::Files& files, const Launch& launch, Privacy privacy) {
  return files.keep_private(privacy == Privacy::launch ? launch.folder() : launch.state());
}

Result<Launch> create_launch(io::Files& files, const std::string& collection, std::string_view crawl_name, WallTime now,
                             Privacy privacy) {
  Launch launch{collection, {}};
  do {
    launch.name = fmt::format("{}-{}", crawl_name, timestamp14(now));
    now += std::chrono::seconds(1);
  } while (files.exists(launch.folder()));
  for (const Privacy kept : {Privacy::state, privacy}) TRY_VOID(keep_private(files, launch, kept));
  for (const std::string& folder : {launch.archive(), collection + "/indexes", collection + "/pages", launch.logs(),
                                    launch.reports(), launch.state()}) {
    if (auto made = files.make_dirs(folder); !made)
      return pass(std::move(made).error(), "cannot make the folders of the crawl");
  }
  for (const std::string& folder : {io::parent_path(collection), collection, collection + "/crawls", launch.folder()})
    TRY_VOID(files.sync_dir(folder));
  return launch;
}

Result<void> make_missing_folders(io::Files& files, const Launch& launch) {
  for (const std::string& folder : {launch.collection + "/indexes", launch.collection + "/pages", launch.reports()}) {
    if (files.exists(folder)) continue;
    TRY_VOID(files.make_dirs(folder));
    TRY_VOID(files.sync_dir(io::parent_path(folder)));
  }
  return {};
}

Result<std::optional<Launch>> latest_launch(io::Files& files, const std::string& collection) {
  TRY(const auto names, launches(files, collection));
  if (names.empty()) return std::optional<Launch>();
  return std::optional(Launch{collection, names.back()});
}

Result<std::unique_ptr<io::FileLock>> lock_collection(io::Files& files, const std::string& collection,
                                                      std::string_view note) {
  TRY_VOID(files.make_dirs(collection + "/crawls"));
  auto lock = files.lock(lock_file(collection), note);
  if (!lock && lock.error().code == ErrorCode::conflict)
    return fail(
        ErrorCode::conflict,
        fmt::format("another crawl is running in {} ({}); see 'caddis status {}', or choose another --collection",
                    collection, lock.error().message, collection));
  return lock;
}

std::vector<std::string> missing_folders(io::Files& files, const std::string& collection) {
  std::vector<std::string> missing;
  for (std::string folder = collection; !files.exists(folder); folder = io::parent_path(folder)) {
    missing.insert(missing.begin(), folder);
    if (folder == io::parent_path(folder)) break;
  }
  for (const char* name : {"/archive", "/crawls", "/indexes", "/pages"})
    if (!files.exists(collection + name)) missing.push_back(collection + name);
  return missing;
}

void take_back(io::Files& files, const Launch& launch, const std::vector<std::string>& made, bool holds_lock) {
  if (!launch.name.empty()) remove_tree(files, launch.folder());
  for (auto folder = made.rbegin(); folder != made.rend(); ++folder) {
    if (holds_lock && *folder == launch.collection + "/crawls") (void)files.remove(lock_file(launch.collection));
    (void)files.remove(*folder);
  }
}

// A file without bytes is made also on most disks that are full.
void note_end(io::Files& files, const Launch& launch, std::string_view why) {
  const auto note = files.open_append(launch.end_note());
  if (!note || !(*note)->truncate(0) || !(*note)->append(why)) return;
  (void)(*note)->sync();
  (void)files.sync_dir(launch.state());
}

std::optional<std::string> noted_end(io::Files& files, const Launch& launch) {
  if (!files.exists(launch.end_note())) return std::nullopt;
  return files.read_all(launch.end_note()).value_or("");
}

Result<void> rebuild_pages(io::Files& files, const std::string& collection) {
  TRY(const auto names, launches(files, collection));
  const std::string path = collection + "/pages/pages.jsonl", temporary = path + ".tmp";
  TRY_VOID(files.make_dirs(collection + "/pages"));
  {
    TRY(const auto all, files.open_append(temporary));
    TRY_VOID(all->truncate(0));  // an earlier attempt may have died here
    TRY_VOID(all->append(
        JsonObject().add("format", "json-pages-1.0").add("id", "pages").add("title", "Pages").finish() + "\n"));
    for (const std::string& name : names) {
      const Launch launch{collection, name};
      if (!files.is_directory(launch.logs())) continue;
      TRY(const auto parts, store::log_parts(files, launch.pages()));
      for (const std::string& part : parts) TRY_VOID(append_whole_lines(files, part, *all));
    }
    TRY_VOID(all->sync());
  }
  TRY_VOID(files.rename(temporary, path));
  return files.sync_dir(io::parent_path(path));
}

}  // namespace caddis::crawl
