#include "collection_watch.h"

#include <functional>
#include <utility>
#include <vector>

#include "caddis/base/log.h"
#include "caddis/replay/collection.h"
#include "caddis/replay/collection_paths.h"
#include "caddis/replay/collection_pool.h"
#include "stop_signals.h"

namespace caddis::cli {
namespace {

constexpr Duration kEvery = std::chrono::seconds(2);
constexpr Duration kAgain = std::chrono::minutes(1);  // after a failure, if the folder stays as it is

// Names of what is in a collection's folder and right below it: while somebody copies it, they change, and in a crawl, which
// is to be seen, they rest. The size of a package.
std::string looks_of(io::Files& files, const std::string& path, int depth = 2) {
  if (!files.is_directory(path)) {
    const auto file = files.open_read_foreign(path);
    const auto size = file ? (*file)->size() : Result<uint64_t>(std::unexpected(file.error()));
    return size ? std::to_string(*size) : "";
  }
  std::string looks = "/";
  const auto entries = files.list(path);
  if (!entries) return looks;
  for (const auto& entry : *entries) {
    looks += entry.name + '\n';
    if (entry.is_directory && depth > 1) looks += looks_of(files, io::join_path(path, entry.name), depth - 1);
  }
  return looks;
}

}  // namespace

CollectionWatch::CollectionWatch(io::Files& files, const Clock& clock, std::string folder, ArchiveOpener& opener,
                                 CurrentArchive& current, Identities shown)
    : files_(files),
      clock_(clock),
      folder_(std::move(folder)),
      opener_(opener),
      current_(current),
      shown_(std::move(shown)) {}

void CollectionWatch::look() {
  const std::lock_guard lock(mutex_);
  look_locked("");
}

Result<void> CollectionWatch::show_at_once(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const std::string path = io::join_path(folder_, name);
  look_locked(path);
  if (shown_.contains(path)) return {};
  return fail(ErrorCode::io, name + " cannot be shown now: the server's log tells why");
}

void CollectionWatch::look_locked(const std::string& whole) {
  const auto found = replay::collections_in(files_, folder_);
  if (!found) return tell(found.error().message);
  Identities seen, wanted;
  for (const std::string& path : *found) {
    const auto known = shown_.find(path);
    const std::string identity = replay::collection_identity(files_, path);
    if (known != shown_.end() && known->second == identity) {
      wanted.insert(*known);
      continue;
    }
    const std::string looks = seen[path] = looks_of(files_, path);
    const auto before = last_.find(path);
    const bool rests = path == whole || (before != last_.end() && before->second == looks);
    if (rests && can_be_opened(path))
      wanted[path] = identity;
    else if (known != shown_.end())
      wanted.insert(*known);  // is being replaced: what is open stays until the other one is whole
  }
  last_ = std::move(seen);
  // A folder that is put in place of another one is empty for a moment.
  const bool rests = !wanted.empty() || was_empty_;
  was_empty_ = wanted.empty();
  if (rests && wanted != shown_) show(wanted);
}

void CollectionWatch::show(const Identities& wanted) {
  if (wanted == failed_ && !failed_.empty() && clock_.steady() < again_) return;
  failed_.clear();
  if (try_to_show(wanted)) return;
  failed_ = wanted;
  again_ = clock_.steady() + kAgain;
  // One that is new may be to blame, and is not to hold the others up.
  Identities known;
  for (const auto& [path, identity] : wanted)
    if (const auto shown = shown_.find(path); shown != shown_.end()) known.insert(*shown);
  if (known != shown_ && !try_to_show(known)) return;
  for (const auto& [path, identity] : wanted) {
    Identities more = shown_;
    more[path] = identity;
    if (more != shown_) try_to_show(more);
  }
}

bool CollectionWatch::try_to_show(const Identities& wanted) {
  auto archive = opener_.open(wanted);
  if (!archive) {
    tell(archive.error().message);
    return false;
  }
  current_.set(*std::move(archive));
  for (const auto& [path, identity] : wanted) {
    const auto before = shown_.find(path);
    if (before == shown_.end()) log_info("serve", "{} is shown from now on", path);
    if (before != shown_.end() && before->second != identity) log_info("serve", "{} is another one now", path);
  }
  for (const auto& [path, identity] : shown_)
    if (!wanted.contains(path)) log_info("serve", "{} is gone, and no longer shown", path);
  shown_ = wanted;
  return true;
}

bool CollectionWatch::can_be_opened(const std::string& path) {
  if (files_.is_directory(path)) return true;
  const auto opened = replay::Collection::open(files_, clock_, path);
  if (!opened) tell(opened.error().message);
  return opened.has_value();
}

void CollectionWatch::tell(const std::string& problem) {
  if (told_.insert(problem).second) log_warn("serve", "{}: what is new there is not shown: {}", folder_, problem);
}

bool is_folder_of_collections(io::Files& files, const std::string& path) {
  return files.is_directory(path) && !replay::is_collection(files, path);
}

aio::Task<void> watch_collections(aio::Loop& loop, aio::Blocking& workers, CollectionWatch& watch) {
  while (!stop_asked()) {
    for (Duration waited{}; waited < kEvery && !stop_asked(); waited += std::chrono::milliseconds(100))
      co_await aio::sleep_for(loop, std::chrono::milliseconds(100));
    if (stop_asked()) break;
    std::function<void()> work = [&] { watch.look(); };
    co_await workers.run_piece(loop, std::move(work));
  }
}

}  // namespace caddis::cli
