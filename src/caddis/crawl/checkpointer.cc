#include "caddis/crawl/checkpointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "caddis/aio/blocking.h"
#include "caddis/base/log.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/cookie_files.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/event_log.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {

void Checkpointer::begin() {
  last_ = loop_.clock().steady();
  bytes_at_last_ = state_.statistics.bytes();
  actions_at_last_ = log_.operator_actions();
}

aio::Task<Result<Checkpoint>> Checkpointer::take(std::string name) {
  if (lifecycle_.is_ending())
    co_return fail(ErrorCode::conflict,
                   "the crawl is ending; with checkpoint.at-stop a checkpoint is taken at its end");
  if (lifecycle_.is_importing())
    co_return fail(ErrorCode::conflict, "a recovery log is being taken over: wait until that is done");
  if (is_taking_) co_return fail(ErrorCode::conflict, "a checkpoint is being taken just now");
  if (!name.empty() && !is_checkpoint_name(name))
    co_return fail(ErrorCode::config,
                   fmt::format("'{}' is no name for a checkpoint: up to 64 letters, digits, '.', '_' and '-', but not "
                               "'latest'",
                               name));
  is_taking_ = true;
  // The counts belong to the moment at which the group is put together.
  const auto made = std::make_shared<Checkpoint>();
  const auto actions = std::make_shared<uint64_t>(0);
  std::function<commit::Committer::Work()> prepare = [this, made, actions, name] {
    *made = describe(name);
    *actions = log_.operator_actions();
    return commit::Committer::Work([this, made] { return write(*made); });
  };
  const Result<void> taken = co_await committer_.at_commit(std::move(prepare));
  is_taking_ = false;
  last_ = loop_.clock().steady();
  bytes_at_last_ = state_.statistics.bytes();
  if (!taken) co_return std::unexpected(taken.error());
  actions_at_last_ = *actions;
  state_.checkpoints.push_back(*made);
  log_info("crawl", "checkpoint '{}': {} documents, {} URLs queued", made->name, made->documents, made->queued);
  log_.tell(CrawlEvent::Source::checkpoint, made->name);
  committer_.commit_soon();
  co_await remove_old();
  co_return *made;
}

Checkpoint Checkpointer::describe(const std::string& name) const {
  Checkpoint made;
  for (const Checkpoint& one : state_.checkpoints) made.number = std::max(made.number, one.number);
  ++made.number;
  made.taken = loop_.clock().wall();
  made.name = name.empty() ? automatic_name(made.number, made.taken) : name;
  made.is_kept = !name.empty();
  made.launch = state_.launch.name;
  made.format = kFormat;
  made.documents = state_.statistics.documents();
  made.bytes = state_.statistics.bytes();
  made.queued = state_.frontier->stats().queued;
  made.seen = state_.frontier->stats().seen;
  return made;
}

// The lengths that are committed. To be called between two groups.
void Checkpointer::add_lengths(Checkpoint& made) const {
  const store::StreamSet& streams = *state_.streams;
  std::vector<std::string> names = {kPagesStream, kCdxStream, kSeenStream};
  const std::vector<std::string> logs = rolling_logs();
  names.insert(names.end(), logs.begin(), logs.end());
  for (const std::string& stream : names)
    if (streams.has_open(stream))
      made.logs.push_back({stream, streams.committed_length(stream), std::string(io::base_name(streams.path(stream)))});
  for (const auto& part : streams.parts(kSeenStream).parts)
    made.seen_parts.push_back({kSeenStream, part.length, std::string(io::base_name(part.path))});
}

// Where blocking is allowed, between two groups.
Result<void> Checkpointer::write(Checkpoint& made) {
  add_lengths(made);
  TRY_VOID(write_checkpoint(state_.files, *state_.kv, state_.launch, made));
  // A file beside the crawl is no reason to have no checkpoint.
  const auto snapshot = state_.settings.snapshot();
  if (auto saved = save_cookie_files(state_.files, cookies_, snapshot->settings.cookies); !saved)
    log_warn("crawl", "{}", saved.error().message);
  return {};
}

// Removes checkpoints that nobody named, but for the latest.
aio::Task<void> Checkpointer::remove_old() {
  std::vector<std::string> old;
  const auto most = static_cast<size_t>(state_.settings.now().checkpoint.kept);
  const auto unnamed = static_cast<size_t>(std::ranges::count(state_.checkpoints, false, &Checkpoint::is_kept));
  for (size_t i = 0, left = unnamed; i < state_.checkpoints.size() && left > most; ++i) {
    if (state_.checkpoints[i].is_kept) continue;
    old.push_back(state_.checkpoints[i].name);
    --left;
  }
  if (old.empty()) co_return;
  std::function<void()> work = [&] {
    for (const std::string& name : old)
      if (auto removed = remove_checkpoint(state_.files, state_.launch, name); !removed)
        log_warn("crawl", "the old checkpoint '{}' stays: {}", name, removed.error().message);
  };
  co_await blocking_.run(loop_, std::move(work));
  std::erase_if(state_.checkpoints,
                [&](const Checkpoint& one) { return std::ranges::find(old, one.name) != old.end(); });
}

bool Checkpointer::is_due() const {
  const Duration interval = state_.settings.now().checkpoint.interval;
  if (interval == Duration(0) || !lifecycle_.is_running() || is_taking_ || lifecycle_.is_importing()) return false;
  return loop_.clock().steady() - last_ >= interval && state_.statistics.bytes() != bytes_at_last_;
}

aio::Task<void> Checkpointer::take_due() {
  const Result<Checkpoint> made = co_await take(std::string());
  if (!made) log_warn("crawl", "no checkpoint could be taken: {}", made.error().message);
}

// Another one of the same would only take the place of one that is worth going back to. Some logs grow with every start.
bool Checkpointer::is_as_at_last() const {
  if (state_.checkpoints.empty() || log_.operator_actions() != actions_at_last_) return false;
  const auto what_counts = [](const Checkpoint& of) {
    std::vector<Checkpoint::Log> logs = of.logs;
    std::erase_if(logs, [](const Checkpoint::Log& log) {
      return log.stream == kProgressStream || log.stream == kJobStream || log.stream == kAlertStream;
    });
    return std::tuple(of.documents, of.bytes, of.queued, of.seen, std::move(logs));
  };
  Checkpoint now = describe(std::string());
  add_lengths(now);
  return what_counts(now) == what_counts(state_.checkpoints.back());
}

aio::Task<void> Checkpointer::take_last() {
  if (!state_.settings.now().checkpoint.at_stop || lifecycle_.is_importing() || is_as_at_last()) co_return;
  Checkpoint made = describe(std::string());
  Result<void> taken;
  std::function<void()> work = [&] { taken = write(made); };
  co_await blocking_.run(loop_, std::move(work));
  if (!taken) {
    log_warn("crawl", "no checkpoint could be taken at the end: {}", taken.error().message);
    co_return;
  }
  state_.checkpoints.push_back(made);
  co_await remove_old();
}

Result<std::vector<Checkpoint>> usable_checkpoints(io::Files& files, const collection::Launch& launch,
                                                   std::vector<std::string>& notices) {
  TRY(Checkpoints found, list_checkpoints(files, launch));
  for (const std::string& name : found.incomplete) {
    TRY_VOID(remove_checkpoint(files, launch, name));
    notices.push_back(fmt::format("a checkpoint that was never completed, {}, was removed", name));
  }
  for (const std::string& why : found.damaged) notices.push_back(fmt::format("a checkpoint cannot be used: {}", why));
  return std::move(found.complete);
}

}  // namespace caddis::crawl
